# expect 73: nothing is read from shared memory
s/tiledKernel<16><<<grid, threads>>>/globalKernel<<<grid, threads>>>/
