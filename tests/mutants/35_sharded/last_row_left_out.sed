# error
# last_row_left_out - the last row of a rank's C does not come back
s/o.n, n, rows, w->down);/o.n, n, rows - 1, w->down);/
