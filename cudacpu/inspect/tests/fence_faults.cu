/* fence_faults.cu - small kernels that are ordered by a fence and an atomic function or a flag, and
 * one of them is forgotten; races that are none, and what is like them. Beside each its correct
 * twin: what inspect must find, and where.
 *
 *     fence_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". */
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 8, THREADS = 64 };

static __device__ unsigned arrived;

/* ---- the last block adds up what the others have written ---- */

static __global__ void last_block(float *out, int *, bool twin) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = (float)blockIdx.x;
        if (twin)
            __threadfence();
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x)
        out[BLOCKS + threadIdx.x] = out[threadIdx.x]; /* fault: last_block */
}

/* What a thread does after its fence it has not released. */
static __global__ void after_fence(float *out, int *, bool twin) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        if (twin)
            out[blockIdx.x] = (float)blockIdx.x;
        __threadfence();
        if (!twin)
            out[blockIdx.x] = (float)blockIdx.x;
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x)
        out[BLOCKS + threadIdx.x] = out[threadIdx.x]; /* fault: after_fence */
}

/* A fence is of its thread: what the others did must come before a barrier. */
static __global__ void other_threads(float *out, int *, bool twin) {
    __shared__ bool is_last;
    out[blockIdx.x * THREADS + threadIdx.x] = 1;
    if (twin)
        __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last)
        for (int b = 0; b < BLOCKS; b++)
            if (b != (int)blockIdx.x)
                out[BLOCKS * THREADS + threadIdx.x] =
                    out[b * THREADS + threadIdx.x]; /* fault: other_threads */
}

/* ---- locks ---- */

static __global__ void lock(float *out, int *word, bool twin) {
    if (threadIdx.x == 0) {
        while (atomicCAS(word, 0, 1) != 0)
            ;
        out[0] += 1; /* fault: lock */
        if (twin)
            __threadfence();
        atomicExch(word, 0);
    }
}

/* Each thread for itself. */
static __global__ void lock_of_threads(float *out, int *word, bool twin) {
    for (bool done = false; !done;)
        if (atomicCAS(word, 0, 1) == 0) {
            out[0] += 1; /* fault: lock_of_threads */
            if (twin)
                __threadfence();
            atomicExch(word, 0);
            done = true;
        }
}

/* ---- flags ---- */

/* Each block waits for the one before it; blocks of higher numbers begin later. */
static __global__ void flag(float *out, int *words, bool twin) {
    volatile int *flags = words;
    if (threadIdx.x == 0) {
        float sum = 1;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0)
                ;
            __threadfence();
            sum += out[blockIdx.x - 1]; /* fault: flag */
        }
        out[blockIdx.x] = sum;
        if (twin)
            __threadfence();
        flags[blockIdx.x] = 1;
    }
}

/* Block 2 looks at block 1's flag alone: what block 0 has done block 1 passes on, if it has a
 * fence. */
static __global__ void flag_of_flag(float *out, int *words, bool twin) {
    volatile int *flags = words;
    const unsigned b = blockIdx.x;
    if (threadIdx.x > 0 || b > 2)
        return;
    while (b > 0 && flags[b] == 0)
        ;
    if (b == 0)
        out[0] = 1;
    if (twin || b != 1)
        __threadfence();
    if (b == 2)
        out[2] = out[0]; /* fault: flag_of_flag */
    flags[b + 1] = 1;
}

/* In shared memory; the waiting thread comes first. */
static __global__ void shared_flag(float *out, int *, bool twin) {
    __shared__ volatile int is_there;
    __shared__ float value;
    if (threadIdx.x == 0)
        is_there = 0;
    __syncthreads();
    if (threadIdx.x == THREADS - 1) {
        value = 2;
        if (twin)
            __threadfence_block();
        is_there = 1;
    } else if (threadIdx.x == 0) {
        while (is_there == 0)
            ;
        __threadfence_block();
        out[blockIdx.x] = value; /* fault: shared_flag */
    }
}

/* ---- one word for all blocks: no fence helps ---- */

static __global__ void overwritten(float *, int *word, bool twin) {
    if (threadIdx.x == 0 && twin)
        atomicMax(word, (int)blockIdx.x);
    else if (threadIdx.x == 0)
        *word = (int)blockIdx.x; /* fault: overwritten */
}

static __global__ void lost_update(float *, int *word, bool twin) {
    if (threadIdx.x == 0 && twin)
        atomicAdd(word, 1);
    else if (threadIdx.x == 0)
        *word += 1; /* fault: lost_update */
}

/* ---- what is like a race ---- */

/* The first read of a loop around atomicCAS need not be of the last value; any other read must. */
static __global__ void exchange(float *, int *word, bool twin) {
    int old = *word, expected; /* fault: exchange */
    if (twin)
        do {
            expected = old;
            old = atomicCAS(word, expected, expected + 1);
        } while (old != expected);
    else if (old >= 0)
        atomicAdd(word, 1);
}

/* An exchange that finds another value writes nothing, so that others may read. */
static __global__ void failed_exchange(float *out, int *word, bool twin) {
    const int expected = twin ? 7 : 0, i = blockIdx.x * THREADS + threadIdx.x;
    out[i] =
        (float)(threadIdx.x ? *word : atomicCAS(word, expected, 1)); /* fault: failed_exchange */
}

static __global__ void equal_values(float *, int *word, bool twin) {
    *word = twin ? 1 : (int)threadIdx.x; /* fault: equal_values */
}

/* A structure is written word by word, and is there when all of them are. */
struct record {
    int first, more[127];
};
static __global__ void record_values(float *out, int *, bool twin) {
    record r = {twin ? 1 : (int)threadIdx.x, {2, 3}};
    *(record *)out = r; /* fault: record_values */
}

/* Memory of the kernel's own heap. */
static __global__ void heap(float *out, int *, bool twin) {
    float *own = new float[4], *more = (float *)malloc(4 * sizeof *more);
    own[0] = more[3] = 1;
    out[blockIdx.x * THREADS + threadIdx.x] = own[0] + more[twin ? 3 : 4]; /* fault: heap */
    delete[] own;
    free(more);
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    float *out;
    int *words;
    cudaMalloc(&out, (BLOCKS + 1) * THREADS * sizeof *out);
    cudaMalloc(&words, BLOCKS * sizeof *words);
    cudaMemset(out, 0, (BLOCKS + 1) * THREADS * sizeof *out);
    cudaMemset(words, 0, BLOCKS * sizeof *words);
    bool known = false;
#define RUN(kernel)                                                                                \
    if (strcmp(name, #kernel) == 0) {                                                              \
        kernel<<<BLOCKS, THREADS>>>(out, words, twin);                                             \
        known = true;                                                                              \
    }
    RUN(last_block)
    RUN(after_fence)
    RUN(other_threads)
    RUN(lock)
    RUN(lock_of_threads)
    RUN(flag)
    RUN(flag_of_flag)
    RUN(shared_flag)
    RUN(overwritten)
    RUN(lost_update)
    RUN(exchange)
    RUN(failed_exchange)
    RUN(equal_values)
    RUN(record_values)
    RUN(heap)
    if (!known) {
        fprintf(stderr, "fence_faults: there is no fault '%s'\n", name);
        return 2;
    }
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        printf("the launch failed\n");
    cudaFree(out);
    cudaFree(words);
    return 0;
}
