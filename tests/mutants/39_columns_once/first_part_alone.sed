# first_part_alone - the scale is that of the largest element of the first part: a planted fault. The suite must reject it.
s/i < PARTS; i++/i < 1; i++/
