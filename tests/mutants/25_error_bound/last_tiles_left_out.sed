# error
# last_tiles_left_out - where all of C is computed the last tiles are left out
s/count = all ? down \* across/count = all ? down * (across - 1)/
