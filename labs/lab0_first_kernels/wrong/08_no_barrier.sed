# expect 0: shared race
# file task08_transpose.cu
# full
/__syncthreads/d
