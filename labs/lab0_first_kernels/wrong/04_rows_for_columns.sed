# expect 0: y of 40 x 56: .*of them never written.*global race: task04_2d_index.cu:13: two blocks write the same element in any order
# file task04_2d_index.cu
# full
s/row \* columns + column/row * rows + column/
