# error
# scales_of_first_columns - the scales are those of the first columns of B
s/&o.scale_b\[column + i\]/\&o.scale_b[i]/
