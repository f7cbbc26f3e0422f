# expect 87: 0/8 product 3: .*tiles stay tiles
# full
/void kernel3/,/^}/{
/__shared__/d
/tile_[ab]\[y\]\[x\] =/d
s/sum += tile.*/if (row < m \&\& column < n \&\& first + i < k) sum += a[row * k + first + i] * b[(first + i) * n + column];/
s/size_t x = threadIdx.x, y/size_t x = threadIdx.x, y/
}
