# expect 10: 6/6 task
# full
# full
# file task02_guard.cu
/if (i < n)/d
s/y\[i\] = 2 \* x\[i\];/i >= n || atomicExch(y + i, 2 * x[i]);/
