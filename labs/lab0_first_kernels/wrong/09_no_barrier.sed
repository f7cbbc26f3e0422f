# expect 0: shared race
# file task09_histogram.cu
# full
/all have counted/d
