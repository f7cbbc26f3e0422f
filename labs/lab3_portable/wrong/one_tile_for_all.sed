# expect 94: with this tile they are
s/^    dim3 threads/    tile = 16;\n&/
