# error early at n = 1025
# first_part_alone - the scale is that of the largest element of the first part
s/i < PARTS; i++/i < 1; i++/
