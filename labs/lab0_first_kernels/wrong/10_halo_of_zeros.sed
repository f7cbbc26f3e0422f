# expect 0: the neighbours that belong to another block are left out
# file task10_stencil.cu
s/i > 0 ? x\[i - 1\] : 0/0/;s/i + 1 < n ? x\[i + 1\] : 0/0/
