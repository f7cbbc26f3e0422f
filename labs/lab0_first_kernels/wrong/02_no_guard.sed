# expect 0: out of bounds: task02_guard.cu:11: read past the 4000 bytes of x
# file task02_guard.cu
# full
/if (i < n)/d
