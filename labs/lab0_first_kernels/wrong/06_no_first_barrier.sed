# expect 0: shared race
# file task06_barrier.cu
# full
/the part is complete/d
