# no_borrow - cuts slices without a borrow: a planted fault. The suite must reject it.
s/+ 0x808080) ^ 0x808080/+ 0)/
