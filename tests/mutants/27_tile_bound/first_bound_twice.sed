# error
# first_bound_twice - in the second pass too the bound is that of the upper row of a lane
s/is_mended(bounds.error\[j\], bounds.decrease\[j\], smallest\[j\])/is_mended(bounds.error[0], bounds.decrease[0], smallest[0])/
