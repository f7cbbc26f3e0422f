# expect 96: words are loaded
s/tiledKernel<16><<<grid, threads>>>/globalKernel<<<grid, threads>>>/
