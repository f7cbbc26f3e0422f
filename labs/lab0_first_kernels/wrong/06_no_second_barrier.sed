# expect 0: shared race
# full
# file task06_barrier.cu
/nobody needs it/d
