# error
# columns_too_soon - B's slices, not A's, begin early, and do not wait for the maxima
/CUDA_CHECK(cudaLaunchKernelEx(/{
N
s/.*/    cudaLaunchConfig_t first = config; first.gridDim = dim3((unsigned)p.n \/ TILE, (unsigned)p.n \/ BK); first.blockDim = dim3(COLUMN_THREADS); CUDA_CHECK(cudaLaunchKernelEx(\&first, slice_columns_kernel, p, p.n, find_sums(p)));/
}
s/^    slice_columns(p, p.n, stream);/    describe_columns_kernel<<<(unsigned)p.n \/ TILE, TILE, 0, stream>>>(p, find_sums(p)); CUDA_CHECK(cudaGetLastError()); slice_rows<image_layout>(\&p, rows, stream);/
