# expect 0: x
s/^    dim3 grid = grid_of(c)/    *(volatile int *)8 = 0;\n&/
