# error
# rest_without_middle - the rest of X and of Y lacks the slices in the middle
s/16 \* x.middle + x.low/x.low/
