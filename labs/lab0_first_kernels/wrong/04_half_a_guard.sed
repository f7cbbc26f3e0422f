# expect 0: out of bounds: task04_2d_index.cu:13: read past the 224 bytes of b
# full
# file task04_2d_index.cu
s/row < rows \&\& column < columns/row < rows/
