/* async_faults.cu - small kernels with one fault each in their asynchronous copies, mbarriers,
 * clusters or warpgroup products, and beside each its correct twin: what inspect must find, and
 * where, whatever CUDACPU_ASYNC says.
 *
 *     async_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". Needs sm_90a. */
#include "async_instructions.h"
#include <cuda_pipeline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 128, STAGES = 4, BYTES = 16 * THREADS };

/* ---- cp.async ---- */

static __global__ void unwaited_copy(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[THREADS];
    const int i = threadIdx.x;
    COPY_16(&tile[i], &in[i]);
    COMMIT();
    if (twin)
        WAIT_GROUP(0);
    __syncthreads();
    out[i] = tile[THREADS - 1 - i]; /* fault: unwaited_copy */
}

/* Two stages ahead, and waits for one too few. */
static __global__ void wait_group_too_few(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[STAGES][THREADS];
    const int i = threadIdx.x;
    for (int s = 0; s < 2; s++) {
        COPY_16(&tile[s][i], &in[s * THREADS + i]);
        COMMIT();
    }
    for (int s = 0; s < STAGES; s++) {
        if (twin)
            WAIT_GROUP(1);
        else
            WAIT_GROUP(2);
        __syncthreads();
        out[s * THREADS + i] = tile[s][THREADS - 1 - i]; /* fault: wait_group_too_few */
        if (s + 2 < STAGES)
            COPY_16(&tile[s + 2][i], &in[(s + 2) * THREADS + i]);
        COMMIT();
    }
}

static __global__ void wait_prior_too_few(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[2][THREADS];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][i], &in[i], sizeof(float4));
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[1][i], &in[THREADS + i], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(twin ? 0 : 1);
    out[i] = tile[0][i];
    out[THREADS + i] = tile[1][i]; /* fault: wait_prior_too_few */
}

/* The copy has arrived, but only its own thread knows. */
static __global__ void copy_without_barrier(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[THREADS];
    const int i = threadIdx.x;
    COPY_16(&tile[i], &in[i]);
    WAIT_ALL();
    if (twin)
        __syncthreads();
    out[i] = tile[(i + 32) % THREADS]; /* fault: copy_without_barrier */
}

/* The next copy into a stage that other threads may still read. */
static __global__ void overwritten_stage(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[THREADS];
    const int i = threadIdx.x;
    for (int s = 0; s < STAGES; s++) {
        COPY_16(&tile[i], &in[s * THREADS + i]); /* fault: overwritten_stage */
        COMMIT();
        WAIT_GROUP(0);
        __syncthreads();
        out[s * THREADS + i] = tile[THREADS - 1 - i];
        if (twin)
            __syncthreads();
    }
}

/* cp.async that tells an mbarrier, for which nobody waits. */
static __global__ void copy_on_mbarrier(const float4 *in, float4 *out, bool twin) {
    __shared__ float4 tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0)
        INIT(&full, THREADS);
    __syncthreads();
    COPY_16(&tile[i], &in[i]);
    COPIES_ARRIVE(&full);
    if (twin)
        wait_parity(&full, 0);
    out[i] = tile[THREADS - 1 - i]; /* fault: copy_on_mbarrier */
}

/* ---- mbarriers and bulk copies ---- */

static __global__ void unwaited_bulk(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (i == 0) {
        ARRIVE_EXPECT(&full, BYTES);
        BULK_LOAD(tile, in, BYTES, &full);
    }
    if (twin)
        wait_parity(&full, 0);
    __syncthreads();
    out[i] = tile[i]; /* fault: unwaited_bulk */
    wait_parity(&full, 0);
}

static __global__ void expects_too_much(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (i == 0) {
        ARRIVE_EXPECT(&full, twin ? BYTES : BYTES + 16); /* fault: expects_too_much */
        BULK_LOAD(tile, in, BYTES, &full);
    }
    wait_parity(&full, 0);
    out[i] = tile[i];
}

/* Two copies, and the barrier expects one of them. */
static __global__ void expects_too_little(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[2][THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (i == 0) {
        ARRIVE_EXPECT(&full, twin ? 2 * BYTES : BYTES); /* fault: expects_too_little */
        BULK_LOAD(tile[0], in, BYTES, &full);
        BULK_LOAD(tile[1], in + THREADS, BYTES, &full);
    }
    wait_parity(&full, 0);
    out[i] = tile[1][i];
}

/* Waits for the parity of the first stage in every round. */
static __global__ void wrong_parity(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int s = 0; s < STAGES; s++) {
        if (i == 0) {
            ARRIVE_EXPECT(&full, BYTES);
            BULK_LOAD(tile, in + s * THREADS, BYTES, &full);
        }
        bool open;
        do
            TRY_WAIT(open, &full, twin ? s % 2 : 0); /* fault: wrong_parity */
        while (!open);
        out[s * THREADS + i] = tile[i];
        __syncthreads();
    }
}

static __global__ void before_init(float *out, bool twin) {
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0)
        INIT(&barrier, THREADS);
    if (twin)
        __syncthreads();
    ARRIVE(&barrier); /* fault: before_init */
    wait_parity(&barrier, 0);
    out[threadIdx.x] = 1;
}

/* A block of the cluster arrives at the other's barrier. */
static __global__ void __cluster_dims__(2, 1, 1) no_init_fence(float *out, bool twin) {
    __shared__ uint64_t barrier;
    unsigned rank;
    CLUSTER_RANK(rank);
    if (threadIdx.x == 0) {
        INIT(&barrier, THREADS);
        if (twin)
            FENCE_INIT();
    }
    CLUSTER_SYNC();
    ARRIVE_REMOTE(&barrier, rank ^ 1); /* fault: no_init_fence */
    wait_parity(&barrier, 0);
    out[blockIdx.x * THREADS + threadIdx.x] = 1;
    CLUSTER_SYNC();
}

/* A copy counts its bytes in a barrier that the block itself has just initialised. */
static __global__ void no_fence_for_copies(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        if (twin)
            FENCE_ASYNC();
        ARRIVE_EXPECT(&full, BYTES);
        BULK_LOAD(tile, in, BYTES, &full); /* fault: no_fence_for_copies */
    }
    __syncthreads();
    wait_parity(&full, 0);
    out[i] = tile[i];
}

/* A bulk store of what threads have just written. */
static __global__ void no_proxy_fence(float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    const int i = threadIdx.x;
    tile[i] = make_float4(1, 2, 3, (float)i);
    if (twin)
        FENCE_ASYNC();
    __syncthreads();
    if (i == 0) {
        BULK_STORE(out, tile, BYTES); /* fault: no_proxy_fence */
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

/* The source of a bulk store, overwritten before it was read. */
static __global__ void overwritten_source(float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    const int i = threadIdx.x;
    for (int s = 0; s < STAGES; s++) {
        tile[i] = make_float4(1, 2, (float)s, (float)i); /* fault: overwritten_source */
        FENCE_ASYNC();
        __syncthreads();
        if (i == 0) {
            BULK_STORE(out + s * THREADS, tile, BYTES);
            BULK_COMMIT();
            if (twin)
                BULK_WAIT_READ(0);
        }
        __syncthreads();
    }
    if (i == 0)
        BULK_WAIT(0);
}

/* A producer that does not wait until its stage is free. */
static __global__ void overwritten_by_bulk(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full, empty;
    const int i = threadIdx.x;
    if (i == 0) {
        INIT(&full, 1);
        INIT(&empty, THREADS);
        FENCE_INIT();
    }
    __syncthreads();
    for (int s = 0; s < STAGES; s++) {
        if (i == 0) {
            if (twin)
                wait_parity(&empty, (s + 1) % 2);
            ARRIVE_EXPECT(&full, BYTES);
            BULK_LOAD(tile, in + s * THREADS, BYTES, &full); /* fault: overwritten_by_bulk */
        }
        wait_parity(&full, s % 2);
        out[s * THREADS + i] = tile[THREADS - 1 - i];
        ARRIVE(&empty);
    }
}

static __global__ void bulk_size(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        FENCE_INIT();
        ARRIVE_EXPECT(&full, twin ? BYTES : BYTES - 8);
        BULK_LOAD(tile, in, twin ? BYTES : BYTES - 8, &full); /* fault: bulk_size */
        wait_parity(&full, 0);
        out[0] = tile[0];
    }
}

static __global__ void bulk_alignment(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[THREADS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        FENCE_INIT();
        ARRIVE_EXPECT(&full, 64);
        BULK_LOAD(tile, (const char *)in + (twin ? 16 : 4), 64, &full); /* fault: bulk_alignment */
        wait_parity(&full, 0);
        out[0] = tile[0];
    }
}

/* A block ends while another one may still write into it. */
static __global__ void __cluster_dims__(2, 1, 1) ends_too_early(float *out, bool twin) {
    __shared__ float cell[THREADS];
    const int i = threadIdx.x;
    unsigned rank;
    CLUSTER_RANK(rank);
    cell[i] = 0;
    CLUSTER_SYNC();
    STORE_REMOTE(&cell[i], rank ^ 1, (float)i); /* fault: ends_too_early */
    if (twin)
        CLUSTER_SYNC();
    out[blockIdx.x * THREADS + i] = twin ? cell[i] : 1;
}

/* ---- wgmma ---- */

/* A and B of 8-bit ones, without a swizzle: core matrices of 8 rows x 16 bytes. */
enum { A_BYTES = 64 * 32, B_BYTES = 8 * 32 };

static __global__ void unwaited_sums(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY(sum, a, b);
    WGMMA_COMMIT();
    if (twin)
        WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0]; /* fault: unwaited_sums */
    WGMMA_WAIT(0);
}

static __global__ void no_wgmma_fence(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    if (twin)
        WGMMA_FENCE();
    MULTIPLY(sum, a, b); /* fault: no_wgmma_fence */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

/* The sums change between two products. */
static __global__ void no_second_fence(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    for (int i = 0; i < 3; i++) {
        MULTIPLY(sum, a, b); /* fault: no_second_fence */
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        sum[1] *= 2;
        if (twin)
            WGMMA_FENCE();
    }
    out[threadIdx.x] = sum[1];
}

static __global__ void operands_without_fence(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    if (twin)
        FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY(sum, a, b); /* fault: operands_without_fence */
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    out[threadIdx.x] = sum[0];
}

/* A tile that other warps' products may still read. */
static __global__ void overwritten_operands(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    WGMMA_FENCE();
    MULTIPLY(sum, a, b);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    if (twin)
        __syncthreads();
    a[threadIdx.x] = 2; /* fault: overwritten_operands */
    out[threadIdx.x] = sum[0];
}

static __global__ void three_warps(int *out, bool twin) {
    __shared__ __align__(128) unsigned char a[A_BYTES], b[B_BYTES];
    fill_ones(a, A_BYTES);
    fill_ones(b, B_BYTES);
    FENCE_ASYNC();
    __syncthreads();
    int sum[4] = {0, 0, 0, 0};
    if (twin || threadIdx.x / 32 != 2) {
        WGMMA_FENCE();
        MULTIPLY(sum, a, b); /* fault: three_warps */
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
    }
    out[threadIdx.x] = sum[0];
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    float4 *in, *out;
    const size_t bytes = STAGES * BYTES;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes);
    cudaMemset(out, 0, bytes);
    bool known = false;
#define RUN(kernel, blocks, shared, ...)                                                           \
    if (strcmp(name, #kernel) == 0) {                                                              \
        kernel<<<blocks, THREADS, shared>>>(__VA_ARGS__, twin);                                    \
        known = true;                                                                              \
    }
    RUN(unwaited_copy, 1, 0, in, out)
    RUN(wait_group_too_few, 1, 0, in, out)
    RUN(wait_prior_too_few, 1, 0, in, out)
    RUN(copy_without_barrier, 1, 0, in, out)
    RUN(overwritten_stage, 1, 0, in, out)
    RUN(copy_on_mbarrier, 1, 0, in, out)
    RUN(unwaited_bulk, 1, 0, in, out)
    RUN(expects_too_much, 1, 0, in, out)
    RUN(expects_too_little, 1, 0, in, out)
    RUN(wrong_parity, 1, 0, in, out)
    RUN(before_init, 1, 0, (float *)out)
    RUN(no_init_fence, 2, 0, (float *)out)
    RUN(no_fence_for_copies, 1, 0, in, out)
    RUN(no_proxy_fence, 1, 0, out)
    RUN(overwritten_source, 1, 0, out)
    RUN(overwritten_by_bulk, 1, 0, in, out)
    RUN(bulk_size, 1, 0, in, out)
    RUN(bulk_alignment, 1, 0, in, out)
    RUN(ends_too_early, 2, 0, (float *)out)
    RUN(unwaited_sums, 1, 0, (int *)out)
    RUN(no_wgmma_fence, 1, 0, (int *)out)
    RUN(no_second_fence, 1, 0, (int *)out)
    RUN(operands_without_fence, 1, 0, (int *)out)
    RUN(overwritten_operands, 1, 0, (int *)out)
    RUN(three_warps, 1, 0, (int *)out)
    if (!known) {
        fprintf(stderr, "async_faults: there is no fault '%s'\n", name);
        return 2;
    }
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        printf("the launch failed\n");
    cudaFree(in);
    cudaFree(out);
    return 0;
}
