# expect 36: CUDA: multiples of the tile: .*was stopped: not done after(.*\n)*9/9 the same integers by both: OpenCL
# full
# with SECONDS=8
s/k += TS/k += 0/
