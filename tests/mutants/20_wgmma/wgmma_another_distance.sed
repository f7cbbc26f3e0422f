# error
# wgmma_another_distance - the descriptor has half the distance between eights of vectors
s|8ull \* BK / 16|4ull * BK / 16|
