# expect 100: 8/8 product 3
# full
# The tile of A of product 3 is stored and read transposed, with a column more against bank conflicts.
/==== 3:/,/==== 4:/ {
  s/tile_a\[TILE\]\[TILE\], /tile_a[TILE][TILE + 1], /
  s/tile_a\[y\]\[x\] =/tile_a[x][y] =/
  s/tile_a\[y\]\[i\] \*/tile_a[i][y] */
}
