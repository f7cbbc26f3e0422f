# error
# half_of_the_flags - the flags of the lower half of a tile are not looked at
s/flags\[0\] |/(flags[0] \& 0xffffffff) |/
