# expect 0: elements that are equal are counted, too
# file task05_shared.cu
# full
s/part\[j\] < part/part[j] <= part/
