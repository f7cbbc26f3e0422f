# expect 0: every element is wrong; the first: y\[0\] is -1,
# full
# file task01_index.cu
s/= 2 \* x\[i\]/= x[i] * 0 - 1/
