# expect 10: 6/6 task
# file task02_guard.cu
/if (i < n)/d
s/y\[i\] = 2 \* x\[i\];/(i < n) \&\& (y[i] = 2 * x[i]);/
