# expect 0: any n, any leading dimension
# full
s/(some + TILE - 1) \/ TILE)/some \/ TILE)/
