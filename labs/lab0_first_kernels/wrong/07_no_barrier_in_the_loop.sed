# expect 0: shared race
# file task07_reduction.cu
/the next step reads/d
