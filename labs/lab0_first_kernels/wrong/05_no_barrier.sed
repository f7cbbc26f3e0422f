# expect 0: shared race: task05_shared.cu:1\d and task05_shared.cu:1\d
# file task05_shared.cu
/__syncthreads/d
