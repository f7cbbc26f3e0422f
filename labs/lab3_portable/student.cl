/* lab3 - the same tile kernel in OpenCL C. There are no templates here: TS is a macro, given when the kernel is built.
 *
 * C (m x n) = A (m x p) B (p x n), int, dense, row-major, any shape. A work-group has TS x TS work-items; dimension 0
 * goes along a row of C, dimension 1 down its columns, and both are rounded up to a multiple of TS. */
__kernel void matmult(__global const int *a, __global const int *b, __global int *c, int m, int p, int n) {
    /* TODO 3: as in student.cu. __shared__ is __local, __syncthreads() is barrier(CLK_LOCAL_MEM_FENCE), threadIdx.x is
     * get_local_id(0), and get_global_id gives the place in the whole grid. */
    /* end of TODO 3 */
}
