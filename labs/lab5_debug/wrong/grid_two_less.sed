# expect 88: 0/7 product 4: .* never written.*(\n.*)*0/5 product 4, drawn shapes: .*never written
# full
# Product 4: the grid is rounded up, but not where one element is left.
/==== 4:/,/==== 5:/ s/(n + TILE - 1) \/ TILE, (m + TILE - 1)/(n + TILE - 2) \/ TILE, (m + TILE - 2)/
