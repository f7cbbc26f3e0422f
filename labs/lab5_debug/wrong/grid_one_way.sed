# expect 88: 0/7 product 4: .* never written, all in row 32
# full
# Product 4: the grid is rounded up in one direction only.
/==== 4:/,/==== 5:/ s/(m + TILE - 1) \/ TILE/m \/ TILE/
