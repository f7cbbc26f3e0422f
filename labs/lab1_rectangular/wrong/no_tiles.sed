# expect 75: nothing is read from shared memory
/tile_a\[y\]\[x\] =/d
/tile_b\[y\]\[x\] =/d
/__shared__/d
/__syncthreads/d
s/for (int i = 0; i < TILE; i++)/for (int i = start; i < k \&\& i < start + TILE \&\& row < m \&\& column < n; i++)/
s/tile_a\[y\]\[i\] \* tile_b\[i\]\[x\]/a[(size_t)row * k + i] * b[(size_t)i * n + column]/
