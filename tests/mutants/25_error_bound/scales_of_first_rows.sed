# error
# scales_of_first_rows - the scales are those of the first rows of A
s/&o.scale_a\[row + i\]/\&o.scale_a[i]/
