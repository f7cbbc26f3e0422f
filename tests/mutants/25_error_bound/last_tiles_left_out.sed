# error
# last_tiles_left_out - where all of C is computed the last column of tiles is left out
s/(all ? whole \* whole/(all ? whole * (whole - 1)/
