# expect 0: shared race
# file task06_barrier.cu
/nobody needs it/d
