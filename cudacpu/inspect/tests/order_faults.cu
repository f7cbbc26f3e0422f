/* order_faults.cu - small kernels in which something orders some of a block's threads, and one is
 * forgotten; structures that are copied whole; shuffles. Beside each its correct twin: what inspect
 * must find, and where, whatever CUDACPU_ASYNC says.
 *
 *     order_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". Needs sm_90. */
#include "async_instructions.h"
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 128, WARPS = THREADS / 32, MANY = 200 };

/* ---- named barriers ---- */

/* bar.arrive passes on what its thread has done; who arrives learns nothing. */
static __global__ void arrival_learns(float *out, bool twin) {
    __shared__ float cell[THREADS];
    const int i = threadIdx.x;
    cell[i] = (float)i;
    if (i < 64 || twin)
        BAR_SYNC(1, THREADS);
    else
        BAR_ARRIVE(1, THREADS);
    out[i] = cell[(i + 64) % THREADS]; /* fault: arrival_learns */
}

/* What a thread does after its arrival it has not passed on. */
static __global__ void after_arrival(float *out, bool twin) {
    __shared__ float cell[THREADS];
    const int i = threadIdx.x;
    cell[i] = 0;
    __syncthreads();
    if (i >= 64) {
        if (twin)
            cell[i] = (float)i;
        BAR_ARRIVE(1, THREADS);
        if (!twin)
            cell[i] = (float)i;
    } else {
        BAR_SYNC(1, THREADS);
        out[i] = cell[i + 64]; /* fault: after_arrival */
    }
}

/* ---- readers ---- */

/* Four warps read a word; the first to write waits for three of them. */
static __global__ void third_reader(float *out, bool twin) {
    __shared__ float word;
    __shared__ uint64_t read;
    const int i = threadIdx.x, warp = i / 32;
    if (i == 0) {
        word = 1;
        INIT(&read, twin ? WARPS : WARPS - 1);
    }
    __syncthreads();
    out[i] = word;
    __syncwarp();
    if (i % 32 == 0 && (twin || warp != 2))
        ARRIVE(&read);
    if (i == 0) {
        wait_parity(&read, 0);
        word = 2; /* fault: third_reader */
    }
}

/* A bulk copy into a tile that one of four warps may still read. */
static __global__ void third_warp(const float *in, float *out, bool twin) {
    __shared__ __align__(128) float tile[THREADS];
    __shared__ uint64_t full, empty;
    const int i = threadIdx.x, warp = i / 32;
    if (i == 0) {
        INIT(&full, 1);
        INIT(&empty, twin ? WARPS : WARPS - 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int s = 0; s < 2; s++) {
        if (i == 0) {
            if (s)
                wait_parity(&empty, 0);
            ARRIVE_EXPECT(&full, (unsigned)sizeof tile);
            BULK_LOAD(tile, in + s * THREADS, (unsigned)sizeof tile, &full); /* fault: third_warp */
        }
        __syncwarp();
        wait_parity(&full, s);
        float sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += tile[k];
        out[i] = sum;
        __syncwarp();
        if (i % 32 == 0 && (twin || warp != 2))
            ARRIVE(&empty);
    }
}

/* ---- many mbarriers ---- */

/* Each thread copies by a barrier of its own; one does not wait. */
static __global__ void many_barriers(const float4 *in, float4 *out, bool twin) {
    __shared__ __align__(128) float4 tile[MANY];
    __shared__ uint64_t full[MANY];
    for (int i = threadIdx.x; i < MANY; i += THREADS) {
        INIT(&full[i], 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int i = threadIdx.x; i < MANY; i += THREADS) {
        ARRIVE_EXPECT(&full[i], 16);
        BULK_LOAD(&tile[i], &in[i], 16, &full[i]);
        if (twin || i != MANY - 1)
            wait_parity(&full[i], 0);
        out[i] = tile[i]; /* fault: many_barriers */
        wait_parity(&full[i], 0);
    }
}

/* The mbarrier is told of the copies, and nobody waits for it. */
static __global__ void pipeline_arrival(const float4 *in, float4 *out, bool twin) {
    __shared__ alignas(128) float4 tile[THREADS];
    __shared__ __mbarrier_t full;
    const int i = threadIdx.x;
    if (i == 0)
        __mbarrier_init(&full, THREADS);
    __syncthreads();
    __pipeline_memcpy_async(&tile[i], &in[i], sizeof(float4));
    __pipeline_arrive_on(&full);
    const __mbarrier_token_t token = __mbarrier_arrive(&full);
    while (twin && !__mbarrier_try_wait(&full, token, 1000)) {
    }
    out[i] = tile[THREADS - 1 - i]; /* fault: pipeline_arrival */
}

/* ---- structures ---- */

struct five {
    float value[5];
};
struct pair {
    struct five first, second;
};

static __device__ struct five make_five(float x) {
    struct five made;
    for (int i = 0; i < 5; i++)
        made.value[i] = x + (float)i;
    return made;
}
static __device__ float add_five(struct five s) {
    return s.value[0] + s.value[1] + s.value[2] + s.value[3] + s.value[4];
}

/* A function returns a structure straight into shared memory. */
static __global__ void returned_structure(float *out, bool twin) {
    __shared__ struct five cell[THREADS];
    const int i = threadIdx.x;
    cell[i] = make_five((float)i); /* fault: returned_structure */
    if (twin)
        __syncthreads();
    out[i] = cell[THREADS - 1 - i].value[3];
}

static __global__ void returned_member(float *out, bool twin) {
    __shared__ struct pair cell[THREADS];
    const int i = threadIdx.x;
    struct pair *mine = &cell[i];
    mine->first = mine->second = i < 64 ? make_five(1) : make_five(2); /* fault: returned_member */
    if (twin)
        __syncthreads();
    out[i] = cell[THREADS - 1 - i].second.value[4];
}

/* A structure in shared memory that a function takes by value. */
static __global__ void passed_structure(float *out, bool twin) {
    __shared__ struct five cell[THREADS];
    const int i = threadIdx.x;
    for (int k = 0; k < 5; k++)
        cell[i].value[k] = (float)i; /* fault: passed_structure */
    if (twin)
        __syncthreads();
    out[i] = add_five(cell[THREADS - 1 - i]);
}

/* The same of global memory that nobody has written. */
static __global__ void passed_unwritten(const struct five *in, float *out, bool twin) {
    out[threadIdx.x] = add_five(in[twin ? 0 : 1]); /* fault: passed_unwritten */
}

/* ---- shuffles from lanes that are not in the mask ---- */

static __global__ void outside_mask(int *out, bool twin) {
    int v = 1000;
    if (threadIdx.x % 32 < 16) {
        for (int d = 8; d; d /= 2)
            v += __shfl_down_sync(0xffff, v, d); /* lanes 8 to 15 do not use what they get */
        if (threadIdx.x % 32 == 0 && !twin)
            v += __shfl_down_sync(1, v, 8); /* fault: outside_mask */
    }
    out[threadIdx.x] = v;
}
static __global__ void outside_mask_xor(int *out, bool twin) {
    int v = 1000;
    if (threadIdx.x % 32 < 24)
        v += __shfl_xor_sync(0xffffff, v, twin ? 4 : 8); /* fault: outside_mask_xor */
    out[threadIdx.x] = v;
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    float *in, *out;
    struct five *fives;
    cudaMalloc(&in, MANY * sizeof(float4));
    cudaMalloc(&out, MANY * sizeof(float4));
    cudaMalloc(&fives, 2 * sizeof *fives);
    cudaMemset(in, 0, MANY * sizeof(float4));
    cudaMemset(fives, 0, sizeof *fives);
    bool known = false;
#define RUN(kernel, ...)                                                                           \
    if (strcmp(name, #kernel) == 0) {                                                              \
        kernel<<<1, THREADS>>>(__VA_ARGS__, twin);                                                 \
        known = true;                                                                              \
    }
    RUN(arrival_learns, out)
    RUN(after_arrival, out)
    RUN(third_reader, out)
    RUN(third_warp, in, out)
    RUN(many_barriers, (const float4 *)in, (float4 *)out)
    RUN(pipeline_arrival, (const float4 *)in, (float4 *)out)
    RUN(returned_structure, out)
    RUN(returned_member, out)
    RUN(passed_structure, out)
    RUN(passed_unwritten, fives, out)
    RUN(outside_mask, (int *)out)
    RUN(outside_mask_xor, (int *)out)
    if (!known) {
        fprintf(stderr, "order_faults: there is no fault '%s'\n", name);
        return 2;
    }
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        printf("the launch failed\n");
    cudaFree(in);
    cudaFree(out);
    cudaFree(fives);
    return 0;
}
