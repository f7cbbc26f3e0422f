# expect 0: never written, only in the last 232 elements
# file task02_guard.cu
# full
s/i < n/i < n \/ BLOCK * BLOCK/
