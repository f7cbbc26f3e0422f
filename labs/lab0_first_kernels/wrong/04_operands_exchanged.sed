# expect 0: out of bounds: task04_2d_index.cu:13: read past the 160 bytes of a
# file task04_2d_index.cu
# full
s/a\[row\] \* b\[column\]/a[column] * b[row]/
