# error
# all_is_nothing - the norm of a row is that of its last two slices
s/rounding, 65536 \* x0 + 256/rounding, 256/
