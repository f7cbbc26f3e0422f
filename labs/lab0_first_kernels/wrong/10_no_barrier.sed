# expect 0: shared race
# file task10_stencil.cu
# full
/__syncthreads/d
