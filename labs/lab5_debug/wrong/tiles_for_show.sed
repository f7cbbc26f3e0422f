# expect 87: 0/8 product 3: .*tiles stay tiles(.*\n)*0/5 product 3, drawn shapes: .*tiles stay tiles
# Product 3 has a tile, of zeros, and adds from global memory.
/void kernel3/,/^}/{
/tile_[ab]\[y\]\[x\] =/s/= .*/= 0;/
s/sum += tile.*/if (row < m \&\& column < n \&\& first + i < k) sum += a[row * k + first + i] * b[(first + i) * n + column] + tile_a[y][i] * tile_b[i][x];/
}
