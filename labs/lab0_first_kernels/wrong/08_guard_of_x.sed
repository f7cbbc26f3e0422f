# expect 0: wrote past a 4092-byte allocation, at task08_transpose.cu:\d+
# file task08_transpose.cu
# full
s/y_row < columns \&\& y_column < rows/row < rows \&\& column < columns/
