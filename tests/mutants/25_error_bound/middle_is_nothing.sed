# error
# middle_is_nothing - the norm of the slices in the middle is left out
s/16 \* x1 + x2/x2/
