# error
# no_borrow - cuts slices without a borrow
s/+ 0x808080) ^ 0x808080/+ 0)/
