# error at n = 1025
# sums_not_reset - the sums begin with what is in shared memory
s/^        sums\[x\] = {};//
