# error
# wgmma_another_distance - the descriptor has half the distance between eights of rows
s/stride = 8 \* BK/stride = 4 * BK/
