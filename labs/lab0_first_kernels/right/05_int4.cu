/* expect 10: 6/6 task */
/* file task05_shared.cu */
/* full */
/* task05_shared.cu - task 5: y[i] = how many of the 256 elements of its block are smaller than
 * x[i].
 *
 * n is a multiple of BLOCK. Each thread needs all elements of its block. They are fetched from
 * global memory once, into shared memory, where every thread of the block reads them. */
#include <cuda_runtime.h>
enum { BLOCK = 256 };

static __global__ void rankKernel(const int *x, int *y) {
    int first = blockIdx.x * BLOCK, thread = threadIdx.x, smaller = 0;
    /* TODO 5: as it is, each thread reads all elements from global memory */
    __shared__ __align__(16) int part[BLOCK];
    part[thread] = x[first + thread];
    __syncthreads(); /* all of them are there */
    int mine = part[thread];
    for (int j = 0; j < BLOCK / 4; j++) {
        int4 f = ((int4 *)part)[j];
        smaller += (f.x < mine) + (f.y < mine) + (f.z < mine) + (f.w < mine);
    }
    /* end of TODO 5 */
    y[first + thread] = smaller;
}

extern "C" void task5(const int *x, int *y, int n) { rankKernel<<<n / BLOCK, BLOCK>>>(x, y); }
