# expect 0: task10_stencil.cu:1\d.*before
# file task10_stencil.cu
# full
s/i > 0 ? x\[i - 1\] : 0/x[i - 1]/
