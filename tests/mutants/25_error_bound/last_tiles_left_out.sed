# error
# last_tiles_left_out - where all of C is computed the last tiles are left out
s/count = all ? whole \* whole/count = all ? whole * (whole - 1)/
