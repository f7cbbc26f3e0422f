# error
# half_of_the_flags - the flags of the lower half of a tile are not looked at
s/return (flags\[0\] | (row/return ((flags[0] \& 0xffffffff) | (row/
