# expect 0: no kernel was launched
# file task03_copy.cu
# full
s/copyKernel<<<BLOCKS, BLOCK>>>(x, y, n);/(void)copyKernel; cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDeviceToDevice);/
