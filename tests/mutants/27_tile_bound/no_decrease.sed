# error
# no_decrease - in the second pass |X| |Y| is as large as 2^32 |x0| |y0|
s/largest_decrease(a, worst)/0/
