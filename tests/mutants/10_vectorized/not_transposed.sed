# error
# not_transposed - two columns of A change places in the tile
s/tile_a\[a_column + 1\]\(.*\)four\.y/tile_a[a_column + 1]\1four.z/; s/tile_a\[a_column + 2\]\(.*\)four\.z/tile_a[a_column + 2]\1four.y/
