# not_transposed - two columns of A change places in the tile: a planted fault. The suite must reject it.
s/tile_a\[a_column + 1\]\(.*\)four\.y/tile_a[a_column + 1]\1four.z/; s/tile_a\[a_column + 2\]\(.*\)four\.z/tile_a[a_column + 2]\1four.y/
