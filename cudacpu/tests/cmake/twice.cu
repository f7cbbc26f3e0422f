/* twice.cu - that function. */
__device__ int twice(int value) { return 2 * value; }
