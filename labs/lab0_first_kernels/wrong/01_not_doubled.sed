# expect 0: it is x, unchanged
# file task01_index.cu
# full
s/= 2 \* x/= x/
