# expect 0: never written, only in the last 232 elements
# file task02_guard.cu
s/(n + BLOCK - 1) \/ BLOCK/n \/ BLOCK/
