# expect 0: never written
# gpu 0: elements are wrong: zero
# full
s/(some + TILE - 1) \/ TILE)/(some + 2 * TILE - 1) \/ (2 * TILE))/
