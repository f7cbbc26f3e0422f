# expect 0: \d+ sectors stored, 768 needed
# file task08_transpose.cu
# full
/int y_row/d;/if (y_row/d
s/y\[y_row .*/if (row < rows \&\& column < columns)\n        y[column * rows + row] = tile[ty][tx];/
