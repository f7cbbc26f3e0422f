# error
# infinite_row_is_held - a row with an infinity is held to have no error of rounding
s|held ? sqrtf((float)sums.errors) / 256 : INFINITY|held ? sqrtf((float)sums.errors) / 256 : 0|
