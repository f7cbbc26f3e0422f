# error
# no_decrease - in the second pass |X| |Y| is as large as 2^32 |x0| |y0|
s/pass == 1 ? 0 : largest_decrease(x, worst)/0/
