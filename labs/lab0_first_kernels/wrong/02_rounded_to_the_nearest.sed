# expect 0: n = 1: .*the launch of task2 failed: invalid configuration argument \(a grid of no blocks(.*\n)*0/4 .*never written
# file task02_guard.cu
s/n + BLOCK - 1/n + BLOCK \/ 2/
