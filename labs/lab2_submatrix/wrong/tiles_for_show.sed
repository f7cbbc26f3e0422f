# expect 63: 0/12 3, 4: tiled, any shape: .* words are loaded from global memory, as many as without tiles
# The tiles hold zeros, and the sum is made from global memory.
/void tiled_kernel/,/^}/{
/tile_[ab]\[y\]\[x\] =/s/= .*/= 0;/
s/sum += tile.*/if (y < block_a.height \&\& i < block_a.width \&\& x < block_b.width) sum += get(block_a, y, i) * get(block_b, i, x) + tile_a[y][i] * tile_b[i][x];/
}
