# expect 0: y of 40 x 56: \d+ of 2240 elements are wrong; .*; y is written column by column, at column \* rows \+ row
# full
# file task04_2d_index.cu
s/row \* columns + column/column * rows + row/
