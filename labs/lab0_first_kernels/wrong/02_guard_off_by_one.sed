# expect 0: out of bounds: task02_guard.cu:12: read past the 4000 bytes of x
# full
# file task02_guard.cu
s/i < n/i <= n/
