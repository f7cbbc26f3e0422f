# expect 0: each count is one bin too high
# file task09_histogram.cu
# full
s/x\[i\] + 9/x[i] + 10/
