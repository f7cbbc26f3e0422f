# expect 10: 6/6 task
# full
# file task08_transpose.cu
s/if (y_row < columns && y_column < rows)/y_row < columns \&\& y_column < rows \&\&/
s/y\[y_row \* rows + y_column\] = tile\[tx\]\[ty\];/(y[y_row * rows + y_column] = tile[tx][ty]);/
