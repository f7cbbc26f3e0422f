# expect 0: x
s/^    dim3 grid = grid_of(c)/    for (volatile int i = 0;; i = 0)\n        ;\n&/
