# expect 0: any n, any leading dimension
# full
s/((unsigned)n + TILE - 1) \/ TILE/(unsigned)n \/ TILE/
