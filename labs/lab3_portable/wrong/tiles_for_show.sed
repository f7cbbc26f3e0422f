# expect 86: 0/8 CUDA: multiples of the tile: .* words are loaded from global memory, as many as without tiles
# full
# The tiles hold zeros, and the sum is made from global memory.
/tile_[ab]\[y\]\[x\] =/s/= .*/= 0;/
s/sum += tile.*/if (row < m \&\& column < n \&\& k + (int)i < p) sum += a[row * p + k + i] * b[(k + i) * n + column] + tile_a[y][i] * tile_b[i][x];/
