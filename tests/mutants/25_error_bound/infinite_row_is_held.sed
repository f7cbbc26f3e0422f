# error
# infinite_row_is_held - a row with an infinity has the errors of its finite elements
s/isnan(scale) ? INFINITY : sqrtf/sqrtf/
