# expect 87: 0/8 product 8: .*(are wrong|race)
# full
/==== 8:/,$ {
  /tile_a\[y\]\[x\] = tile_b\[y\]\[x\] = 0;/d
  s/^    ELEMENT sum = 0;/&\n    tile_a[y][x] = tile_b[y][x] = 0;/
}
