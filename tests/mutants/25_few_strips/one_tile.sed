# one_tile - the next tile of A is stored over the one in use: a planted fault. The suite must reject it.
s/tiles_a\[k \/ DEPTH % 2\]/tiles_a[0]/
