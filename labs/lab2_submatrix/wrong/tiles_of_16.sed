# expect 90: compiled with TILE=32 and ELEMENT=double, .*wrote past the \d+ bytes of
# full
s/tile_a\[BLOCK\]\[BLOCK\], tile_b\[BLOCK\]\[BLOCK\];/tile_a[16][16], tile_b[16][16];/
