# expect 10: 6/6 task
# full
# file task02_guard.cu
s/if (i < n)/for (; i < n; i = n)/
s/y\[i\] = 2 \* x\[i\];/i < n ? y[i] = 2 * x[i] : 0;/
