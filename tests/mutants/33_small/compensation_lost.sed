# error
# compensation_lost - each tile forgets the compensation
s/^        __syncthreads(); .. the tiles are complete.*/&\n        compensation = 0;/
