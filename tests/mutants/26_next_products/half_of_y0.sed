# error
# half_of_y0 - both blocks copy the first half of |y0|
s/part = rank \* PART/part = 0/
