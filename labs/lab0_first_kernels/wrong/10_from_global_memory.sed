# expect 0: 4004 words loaded, 1008 needed
# file task10_stencil.cu
s/part\[t\] + part\[t + 1\] + part\[t + 2\]/(i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0)/
