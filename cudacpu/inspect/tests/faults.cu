/* faults.cu - small kernels with one fault each, and beside each its correct twin: what inspect
 * must find, and where.
 *
 *     faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". The same file runs on a GPU,
 * under compute-sanitizer: cudacpu/inspect/tests/verdicts.sh sets both verdicts side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64 };

/* Each thread reads what its neighbour wrote: without a barrier between, it may read too early. */
static __global__ void shared_race(float *out, bool twin) {
    __shared__ float cell[THREADS];
    int i = threadIdx.x;
    cell[i] = (float)i;
    if (twin)
        __syncthreads();
    out[i] = cell[(i + 1) % THREADS]; /* fault: shared_race */
}

/* All threads write one word. */
static __global__ void global_race(float *out, bool twin) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int place = twin ? i : 0;
    out[place] = (float)i; /* fault: global_race */
}

/* A thread reads in one block what another block writes in the same launch. */
static __global__ void global_race_read(float *data, bool twin) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float next = twin ? data[i] : data[(i + THREADS) % n];
    data[i] = next + 1; /* fault: global_race_read */
}

static __global__ void past_the_end(float *out, int n, bool twin) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (twin ? i < n : i <= n)
        out[i] = 1; /* fault: past_the_end */
}

static __global__ void far_past_the_end(const float *in, float *out, int n, bool twin) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[twin ? i : i + 100000]; /* fault: far_past_the_end */
}

static __global__ void past_shared(float *out, bool twin) {
    extern __shared__ float row[];
    int i = threadIdx.x;
    row[twin ? i : i + 1] = 1; /* fault: past_shared */
    __syncthreads();
    out[i] = row[i];
}

/* A helper function is given the wrong number of rows of a local array. */
template <int ROWS> static __device__ void load_rows(float (*to)[4], const float *from) {
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < 4; i++)
            to[row][i] = from[row * 4 + i]; /* fault: past_local */
}
static __global__ void past_local(const float *in, float *out, bool twin) {
    float column[1][4] = {}, scale = 2, sum[4];
    if (twin)
        load_rows<1>(column, in);
    else
        load_rows<4>(column, in);
    for (int i = 0; i < 4; i++)
        sum[i] = column[0][i] * scale;
    out[threadIdx.x] = sum[0] + sum[3];
}

/* The last thread of each row writes into the next row; that of the last row, past the tile. */
static __global__ void past_tile(float *out, bool twin) {
    __shared__ float tile[8][8], other[8];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    if (y == 0)
        other[x] = 0;
    tile[y][twin ? x : x + 1] = 1; /* fault: past_tile */
    __syncthreads();
    out[threadIdx.x] = twin ? tile[y][x] : other[x];
}

/* Sums rows of a pitched matrix; the faulty one takes the pitch for the width. */
static __global__ void padding(const float *in, size_t pitch, int width, float *out, bool twin) {
    const float *row = (const float *)((const char *)in + threadIdx.x * pitch);
    int columns = twin ? width : (int)(pitch / sizeof(float));
    float sum = 0;
    for (int x = 0; x < columns; x++)
        sum += row[x]; /* fault: padding */
    out[threadIdx.x] = sum;
}

static __global__ void uninitialised_shared(float *out, bool twin) {
    __shared__ float cell[THREADS];
    int i = threadIdx.x;
    if (twin || i % 2)
        cell[i] = 1;
    __syncthreads();
    out[i] = cell[i]; /* fault: uninitialised_shared */
}

static __global__ void uninitialised_global(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x]; /* fault: uninitialised_global */
}

/* The twin's copies read the padding between the members, which is no fault. */
struct entry {
    int key;
    double value;
    char last; /* 24 bytes, which are read eight by eight */
};
static __global__ void write_members(entry *entries, bool twin) {
    entries[threadIdx.x].key = 1;
    entries[threadIdx.x].last = 1;
    if (twin)
        entries[threadIdx.x].value = 2;
}
static __global__ void unwritten_member(const entry *entries, float *out) {
    __shared__ entry shared[THREADS];
    shared[threadIdx.x].key = 0;
    shared[threadIdx.x].value = 0;
    shared[threadIdx.x].last = 0;
    const entry other = shared[threadIdx.x];
    const entry own = entries[threadIdx.x]; /* fault: unwritten_member */
    out[threadIdx.x] = (float)(own.key + own.value + other.value);
}

/* Of 16, 24 and 40 bytes: a word at an odd place behind one that is written, and no padding. */
struct point {
    int a, b, c, d;
};
struct path {
    int a, b;
    point where;
};
struct tree {
    double value;
    point where;
    int left, right, last;
};
template <class T> static __global__ void write_words(T *all, bool twin) {
    T &own = all[threadIdx.x];
    int *words = (int *)&own;
    for (unsigned i = 0; i < sizeof own / 4; i++)
        if (twin || i != 3)
            words[i] = 1;
}
template <class T> static __global__ void copy_words(const T *all, T *to) {
    const unsigned i = threadIdx.x;
    to[i] = all[i]; /* fault: unwritten_16 */ /* fault: unwritten_24 */ /* fault: unwritten_40 */
}
/* Entries as pieces of 8 bytes and 16: what is padding stays it. */
static __global__ void copy_pieces(const int2 *all, int2 *to, const int4 *more, int4 *to_more) {
    for (int i = threadIdx.x; i < 3 * THREADS; i += THREADS)
        to[i] = all[i];
    for (int i = threadIdx.x; i < 3 * THREADS / 2; i += THREADS)
        to_more[i] = more[i];
}
template <class T> static void copy_structures(int n, bool twin) {
    T *all;
    cudaMalloc(&all, 2 * n * sizeof *all);
    write_words<<<1, n>>>(all, twin);
    copy_words<<<1, n>>>(all, all + n);
    cudaFree(all);
    entry *entries;
    cudaMalloc(&entries, 2 * n * sizeof *entries);
    write_members<<<1, n>>>(entries, true);
    copy_pieces<<<1, n>>>((int2 *)entries, (int2 *)(entries + n), (int4 *)entries,
                          (int4 *)(entries + n));
    cudaFree(entries);
}

static __global__ void misaligned(const float *in, float *out, bool twin) {
    const double *pair = (const double *)(in + (twin ? 2 : 1));
    out[threadIdx.x] = (float)pair[threadIdx.x]; /* fault: misaligned */
}

static __global__ void divergent_barrier(float *out, bool twin) {
    if (twin || threadIdx.x < 32)
        __syncthreads(); /* fault: divergent_barrier */
    out[threadIdx.x] = 1;
}

/* The two halves of the block wait at different barriers. */
static __global__ void different_barriers(float *out, bool twin) {
    if (threadIdx.x < 32 || twin)
        __syncthreads(); /* fault: different_barriers */
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

/* Not every thread of the block comes to the barrier: some have returned. */
static __global__ void early_return(float *out, int n, bool twin) {
    int i = threadIdx.x;
    if (!twin && i >= n)
        return;
    __syncthreads(); /* fault: early_return */
    if (i < n)
        out[i] = 1;
}

static __global__ void fill(float *out) { out[threadIdx.x] = 1; }
static __global__ void fill_inner(float **inner) { (*inner)[threadIdx.x] = 1; }

/* Atomic additions do not race with each other; a warp's exchange through shared memory is ordered
 * by __syncwarp(). */
static __global__ void warp_race(float *out, bool twin) {
    __shared__ float cell[THREADS];
    int i = threadIdx.x;
    cell[i] = (float)i;
    if (twin)
        __syncwarp();
    float other = cell[i ^ 1]; /* fault: warp_race */
    atomicAdd(&out[0], other);
}

/* Each block reads past the end, the first block after the others: the report names the first. */
static __global__ void late_first_block(const float *in, float *out, int n) {
    volatile int turns = blockIdx.x == 0 && threadIdx.x == 0 ? 300000 : 0;
    while (turns > 0)
        turns = turns - 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + n];
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    const int n = THREADS;
    float *in, *out, *host = (float *)calloc(4 * THREADS, sizeof(float));
    size_t bytes = 4 * THREADS * sizeof(float);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes); /* fault: not_freed */
    cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, bytes);

    bool asked = true;
    if (strcmp(name, "shared_race") == 0)
        shared_race<<<1, n>>>(out, twin);
    else if (strcmp(name, "global_race") == 0)
        global_race<<<2, n>>>(out, twin);
    else if (strcmp(name, "global_race_read") == 0)
        global_race_read<<<4, n>>>(in, twin);
    else if (strcmp(name, "past_the_end") == 0)
        past_the_end<<<5, n>>>(out, 4 * n, twin);
    else if (strcmp(name, "far_past_the_end") == 0)
        far_past_the_end<<<1, n>>>(in, out, n, twin);
    else if (strcmp(name, "past_shared") == 0)
        past_shared<<<1, n, n * sizeof(float)>>>(out, twin);
    else if (strcmp(name, "past_tile") == 0)
        past_tile<<<1, n>>>(out, twin);
    else if (strcmp(name, "padding") == 0) {
        float *matrix;
        size_t pitch;
        cudaMallocPitch(&matrix, &pitch, 10 * sizeof(float), 4);
        cudaMemcpy2D(matrix, pitch, host, 10 * sizeof(float), 10 * sizeof(float), 4,
                     cudaMemcpyHostToDevice);
        padding<<<1, 4>>>(matrix, pitch, 10, out, twin);
        cudaFree(matrix);
    } else if (strcmp(name, "uninitialised_shared") == 0)
        uninitialised_shared<<<1, n>>>(out, twin);
    else if (strcmp(name, "uninitialised_global") == 0) {
        float *fresh;
        cudaMalloc(&fresh, bytes);
        if (twin)
            cudaMemset(fresh, 0, bytes);
        uninitialised_global<<<1, n>>>(fresh, out);
        cudaFree(fresh);
    } else if (strcmp(name, "unwritten_member") == 0) {
        entry *entries;
        cudaMalloc(&entries, n * sizeof *entries);
        write_members<<<1, n>>>(entries, twin);
        unwritten_member<<<1, n>>>(entries, out);
        cudaFree(entries);
    } else if (strcmp(name, "unwritten_16") == 0)
        copy_structures<point>(n, twin);
    else if (strcmp(name, "unwritten_24") == 0)
        copy_structures<path>(n, twin);
    else if (strcmp(name, "unwritten_40") == 0)
        copy_structures<tree>(n, twin);
    else if (strcmp(name, "past_local") == 0)
        past_local<<<1, n>>>(in, out, twin);
    else if (strcmp(name, "misaligned") == 0)
        misaligned<<<1, n>>>(in, out, twin);
    else if (strcmp(name, "divergent_barrier") == 0)
        divergent_barrier<<<1, n>>>(out, twin);
    else if (strcmp(name, "different_barriers") == 0)
        different_barriers<<<1, n>>>(out, twin);
    else if (strcmp(name, "early_return") == 0)
        early_return<<<1, n>>>(out, n / 2, twin);
    else if (strcmp(name, "warp_race") == 0)
        warp_race<<<2, n>>>(out, twin);
    else if (strcmp(name, "late_first_block") == 0)
        late_first_block<<<4, n>>>(in, out, 4 * n);
    else if (strcmp(name, "unchecked_launch") == 0) {
        fill<<<1, twin ? n : 4096>>>(out); /* fault: unchecked_launch */
        asked = twin;
    } else if (strcmp(name, "unchecked_and_unwritten") == 0) {
        float *fresh;
        cudaMalloc(&fresh, bytes);
        fill<<<1, 4096>>>(fresh);
        cudaMemcpy(host, fresh, bytes, cudaMemcpyDeviceToHost);
        cudaFree(fresh);
        asked = false;
    } else if (strcmp(name, "freed_argument") == 0) {
        float *freed;
        cudaMalloc(&freed, bytes);
        cudaFree(freed);
        fill<<<1, n>>>(freed);
    } else if (strcmp(name, "host_array") == 0) {
        float **inner;
        cudaMalloc(&inner, sizeof *inner);
        cudaMemcpy(inner, &host, sizeof host, cudaMemcpyHostToDevice);
        fill_inner<<<1, n>>>(inner);
    } else if (strcmp(name, "failed_call") == 0) {
        if (cudaMemcpy(in + 1, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
            return 1;
    } else if (strcmp(name, "not_freed") != 0) {
        fprintf(stderr, "faults: there is no fault '%s'\n", name);
        return 2;
    }
    if (asked && cudaGetLastError() != cudaSuccess)
        printf("the launch failed\n");
    cudaDeviceSynchronize();
    cudaFree(in);
    if (twin || strcmp(name, "not_freed") != 0)
        cudaFree(out);
    free(host);
    return 0;
}
