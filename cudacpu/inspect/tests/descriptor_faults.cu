/* descriptor_faults.cu - small kernels whose wgmma has a wrong descriptor, and beside each its
 * correct twin: what inspect must find, and where, whatever CUDACPU_ASYNC says.
 *
 *     descriptor_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". Needs sm_90a. */
#include "async_instructions.h"
#include <stdio.h>
#include <string.h>

/* A and B of 8-bit ones, without a swizzle: core matrices of 8 rows x 16 bytes. */
enum { THREADS = 128, A_BYTES = 64 * 32, B_BYTES = 8 * 32 };
/* The same in rows of 128 bytes with a swizzle, of which a wgmma takes 32. */
enum { A_SWIZZLED = 64 * 128, B_SWIZZLED = 8 * 128 };

/* 128 bytes a row, swizzled: stride bytes to the next 8 rows. */
#define SWIZZLED(tile, stride)                                                                     \
    ((uint64_t)(SHARED(tile) >> 4) | (uint64_t)((stride) / 16) << 32 | (uint64_t)1 << 62)

static __global__ void descriptor_too_far(int *out, bool twin) {
    extern __shared__ float4 tiles[];
    unsigned char *a = (unsigned char *)tiles, *b = a + A_BYTES;
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY(sum, a, twin ? b : b + 16); /* fault: descriptor_too_far */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

/* B is too small for the descriptor, but another variable lies behind it. */
static __global__ void descriptor_out_of_variable(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], small[B_BYTES / 2], whole[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(small, B_BYTES / 2);
    fill_ones(whole, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY(sum, a, twin ? whole : small); /* fault: descriptor_out_of_variable */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0] + small[0];
}

/* Shared memory of 1 KiB too much, so that the tiles can begin anywhere. */
static __global__ void swizzle_base(int *out, bool twin) {
    extern __shared__ __align__(1024) unsigned char dynamic[];
    unsigned char *a = twin ? dynamic : dynamic + 256, *b = a + A_SWIZZLED;
    fill_ones(a, A_SWIZZLED + B_SWIZZLED);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY_BY(sum, SWIZZLED(a, 1024), SWIZZLED(b, 1024)); /* fault: swizzle_base */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

/* The next 8 rows do not begin with the pattern. */
static __global__ void swizzle_stride(int *out, bool twin) {
    extern __shared__ __align__(1024) unsigned char dynamic[];
    unsigned char *a = dynamic, *b = a + A_SWIZZLED;
    fill_ones(a, A_SWIZZLED + B_SWIZZLED);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    for (int k = 0; k < 128; k += 32)
        MULTIPLY_BY(sum, SWIZZLED(a + k, twin ? 1024 : 896), /* fault: swizzle_stride */
                    SWIZZLED(b + k, 1024));
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

/* All of A's core matrices are the first 8 rows. */
static __global__ void rows_twice(int *out, bool twin) {
    extern __shared__ __align__(1024) unsigned char dynamic[];
    unsigned char *a = dynamic, *b = a + A_SWIZZLED;
    fill_ones(a, A_SWIZZLED + B_SWIZZLED);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    const uint64_t stride = twin ? 1024 : 0;
    MULTIPLY_BY(sum, SWIZZLED(a, stride), SWIZZLED(b, 1024)); /* fault: rows_twice */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    int *out;
    cudaMalloc(&out, THREADS * sizeof *out);
    bool known = false;
#define RUN(kernel, shared)                                                                        \
    if (strcmp(name, #kernel) == 0) {                                                              \
        kernel<<<1, THREADS, shared>>>(out, twin);                                                 \
        known = true;                                                                              \
    }
    RUN(descriptor_too_far, A_BYTES + B_BYTES)
    RUN(descriptor_out_of_variable, 0)
    RUN(swizzle_base, A_SWIZZLED + B_SWIZZLED + 1024)
    RUN(swizzle_stride, A_SWIZZLED + B_SWIZZLED)
    RUN(rows_twice, A_SWIZZLED + B_SWIZZLED)
    if (!known) {
        fprintf(stderr, "descriptor_faults: there is no fault '%s'\n", name);
        return 2;
    }
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        printf("the launch failed\n");
    cudaFree(out);
    return 0;
}
