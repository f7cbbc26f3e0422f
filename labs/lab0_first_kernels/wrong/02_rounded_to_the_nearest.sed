# expect 0: n = 1: .*: invalid configuration argument \(a grid of no blocks.*no blocks in a grid of \(0,1,1\)(.*\n)*0/4 .*never written
# file task02_guard.cu
s/n + BLOCK - 1/n + BLOCK \/ 2/
