# expect 16: host code wrote address 0x8
# gpu 16: crashed \(SIGSEGV\)
# full
s/^    dim3 grid = grid_of(c)/    *(volatile int *)8 = 0;\n&/
