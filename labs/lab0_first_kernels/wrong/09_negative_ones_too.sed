# expect 0: the first: counts\[0\] is
# file task09_histogram.cu
# full
s/x\[i\] + 9/abs(x[i])/
