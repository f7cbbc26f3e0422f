# error
# infinite_column_is_held - a column with an infinity has a scale
s/largest < 0x7f800000 \&\& n <= LARGEST_N/n <= LARGEST_N/
