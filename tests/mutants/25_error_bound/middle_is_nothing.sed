# error
# middle_is_nothing - the norm of the slices in the middle is left out
s/return {rounding, \(.*\), 16 \* x1 + x2/return {rounding, \1, x2/
