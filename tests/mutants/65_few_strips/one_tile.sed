# error
# one_tile - the next tile of A is stored over the one in use
s/tiles_a\[k \/ DEPTH % 2\]/tiles_a[0]/
