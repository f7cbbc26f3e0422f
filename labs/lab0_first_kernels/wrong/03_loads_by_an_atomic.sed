# expect 0: 0 sectors loaded, 1250 needed; 2500 sectors stored, 1250 needed
# file task03_copy.cu
s/y\[i\] = x\[i\];/y[i] = atomicAdd((int *)x + i, 0);/
