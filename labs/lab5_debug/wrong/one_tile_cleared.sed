# expect 87: 0/8 product 8: .*uninitialised read: student.cu
# full
# Product 8: zero times what nobody has written is zero here: the result is right, the program is not.
/==== 8:/,$ s/tile_a\[y\]\[x\] = tile_b\[y\]\[x\] = 0;/tile_a[y][x] = 0;/
