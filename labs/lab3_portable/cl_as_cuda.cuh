/* cl_as_cuda.cuh - student.cl once more, read as CUDA, so that inspect can watch it: PoCL does not
 * tell a race, and its results are right without the second barrier. It has the words of OpenCL C
 * that this lab needs. */
#include "cuda_check.h"

/* Of dimension d; beyond the second there is one of everything, as in OpenCL. */
static inline __device__ size_t of_dimension(dim3 all, unsigned d, size_t none) {
    return d == 0 ? all.x : d == 1 ? all.y : none;
}
static inline __device__ size_t local_id(unsigned d) { return of_dimension(threadIdx, d, 0); }
static inline __device__ size_t group_id(unsigned d) { return of_dimension(blockIdx, d, 0); }
static inline __device__ size_t local_size(unsigned d) { return of_dimension(blockDim, d, 1); }
static inline __device__ size_t num_groups(unsigned d) { return of_dimension(gridDim, d, 1); }

static int fence_missing; /* a barrier that says nothing of local memory */
static __attribute__((no_sanitize("thread"), noinline)) void note_fence(int fence) {
    if (!(fence & 1))
        fence_missing = 1;
}

/* A number: a file may have a macro TILE that is TS. */
#if TILE == 8
#define TS 8
#elif TILE == 16
#define TS 16
#elif TILE == 32
#define TS 32
#else
#define TS TILE
#endif
#define get_local_id local_id
#define get_group_id group_id
#define get_local_size local_size
#define get_num_groups num_groups
#define get_global_id(d) (group_id(d) * local_size(d) + local_id(d))
#define get_global_size(d) (num_groups(d) * local_size(d))
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
/* __syncthreads(), without its name: a file may have a macro that is called so and is barrier(). */
#define wait_for_group()                                                                           \
    (__extension__({                                                                               \
        static const ::cudacpu::site cudacpu_here = {__FILE__, __LINE__, __COUNTER__ + 1};         \
        CUDACPU_WAIT(&cudacpu_here);                                                               \
    }))
#define barrier(fence) (note_fence(fence), wait_for_group())
#define work_group_barrier barrier
#define get_work_dim() 2u
#define get_global_offset(d) 0
#define mem_fence(fence) __threadfence_block()
#define read_mem_fence mem_fence
#define write_mem_fence mem_fence
#define select(no, yes, which) ((which) ? (yes) : (no))
#define clamp(x, low, high) min(max(x, low), high)
#define convert_int(x) ((int)(x))
#define uchar unsigned char
#define mul24(x, y) ((x) * (y))
#define mad24(x, y, z) ((x) * (y) + (z))
#define restrict __restrict__
#define __kernel extern "C" __global__
#define kernel __kernel
#define __global
#define global
#define __constant const
#define constant const
#define __private
#define private
#define __local __shared__
#define local __shared__

#include "student.cl"

#undef kernel
#undef global
#undef local
#undef private
#undef constant
#undef select
#undef clamp

/* Returns 1 where a barrier lacks the fence of local memory. */
extern "C" int opencl_as_cuda(const int *a, const int *b, int *c, int m, int p, int n) {
    int *device_a, *device_b, *device_c;
    size_t bytes_a = sizeof(int) * m * p, bytes_b = sizeof(int) * p * n,
           bytes_c = sizeof(int) * m * n;
    CUDA_CHECK(cudaMalloc(&device_a, bytes_a));
    CUDA_CHECK(cudaMalloc(&device_b, bytes_b));
    CUDA_CHECK(cudaMalloc(&device_c, bytes_c));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes_b, cudaMemcpyHostToDevice));
    matmult<<<dim3((n + TS - 1) / TS, (m + TS - 1) / TS), dim3(TS, TS)>>>(device_a, device_b,
                                                                          device_c, m, p, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    return fence_missing;
}
