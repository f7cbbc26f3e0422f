# expect 10: 6/6 task
# full
# file task01_index.cu
s/y\[i\] = 2 \* x\[i\];/int v = y[i] = 2 * x[i];\n    (void)v;/
