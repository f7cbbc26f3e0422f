# expect 0: x
# Product 4: the grid is rounded up in one direction only.
/==== 4:/,/==== 5:/ s/(m + TILE - 1) \/ TILE/m \/ TILE/
