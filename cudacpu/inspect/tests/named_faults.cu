/* named_faults.cu - what inspect names: the program's line where a function of a header made the
 * access, variables that nobody has set, the cause before what comes of it; beside each its correct
 * twin.
 *
 *     named_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdio.h>
#include <string.h>
using namespace nvcuda;
namespace cg = cooperative_groups;

enum { HALVES = 256, FLOATS = 256, THREADS = 64 };

static __global__ void load_fragment(const half *in, float *out, int from) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, in + from, 16); /* fault: load_fragment */
    out[threadIdx.x] = __half2float(a.x[0]);
}
static __global__ void store_fragment(float *out, int to) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 1.0f);
    wmma::store_matrix_sync(out + to, c, 16, wmma::mem_row_major); /* fault: store_fragment */
}
static __global__ void load_read_only(const float *in, float *out, int from) {
    out[threadIdx.x] = __ldg(in + from + threadIdx.x); /* fault: load_read_only */
}
static __global__ void store_streaming(float *out, int to) {
    __stcs(out + to + threadIdx.x, 1.0f); /* fault: store_streaming */
}
static __global__ void add_halves(half *in, int to) {
    in[to + threadIdx.x] += in[0]; /* fault: add_halves */
}
static __global__ void atomic_of_library(float *out, int to) {
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(out[to + threadIdx.x]);
    sum.fetch_add(1.0f); /* fault: atomic_of_library */
}
static __global__ void copy_of_group(const float *in, float *out, int from) {
    __shared__ float row[32];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, row, in + from, sizeof row); /* fault: copy_of_group */
    cg::wait(block);
    out[threadIdx.x] = row[threadIdx.x];
}
static __global__ void fragment_race(const half *in, float *out, bool twin) {
    __shared__ __align__(32) half tile[HALVES];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    for (int i = threadIdx.x; i < HALVES; i += 32)
        tile[i] = in[i];
    if (twin)
        __syncwarp();
    wmma::load_matrix_sync(a, tile, 16); /* fault: fragment_race */
    out[threadIdx.x] = __half2float(a.x[0]);
}

/* Behind the row lies another array, which the rest of the matrix is taken from. */
static __global__ void past_fragment(const half *in, float *out) {
    __shared__ __align__(32) half row[16];
    __shared__ __align__(32) half more[HALVES];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    if (threadIdx.x < 16)
        row[threadIdx.x] = in[threadIdx.x];
    for (int i = threadIdx.x; i < HALVES; i += 32)
        more[i] = in[i];
    __syncwarp();
    wmma::load_matrix_sync(a, row, 16);
    out[threadIdx.x] = __half2float(a.x[0] + more[threadIdx.x]);
}

static __global__ void unset_array(const float *in, float *out, bool twin) {
    float sum[2][2];
    if (twin)
        for (int i = 0; i < 4; i++)
            sum[i / 2][i % 2] = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            sum[i / 2][i % 2] += in[k]; /* fault: unset_array */
    out[threadIdx.x] = sum[threadIdx.x % 2][0];
}
static __global__ void unset_sum(const float *in, float *out, bool twin) {
    float sum;
    if (twin)
        sum = 0;
    for (int k = 0; k < 2; k++)
        sum += in[k];
    out[threadIdx.x] = sum; /* fault: unset_sum */
}
/* Data of the host that look like what is not set. */
static __global__ void copy_data(const int *in, int *out) {
    int own[2];
    own[threadIdx.x % 2] = in[threadIdx.x];
    out[threadIdx.x] = own[threadIdx.x % 2];
}

/* The words of these are in check_inspect.c: what is said first is the cause. */
static __global__ void no_first_barrier(const float *in, float *out) {
    __shared__ float tile_a[THREADS];
    tile_a[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile_a[THREADS - 1 - threadIdx.x];
}
static __global__ void one_warp(const float *in, float *out) {
    __shared__ float cell[THREADS];
    cell[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = cell[threadIdx.x ^ 1];
}
/* A register carries the sum from one volatile store to the next; twice, since cpucc looks for the
 * barrier in the text. */
static __global__ void carried_sum(const float *in, float *out) {
    __shared__ volatile float part[THREADS];
    float sum = in[threadIdx.x];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < 16) {
        sum += part[threadIdx.x + 16];
        part[threadIdx.x] = sum;
    }
    if (threadIdx.x < 8) {
        sum += part[threadIdx.x + 8];
        part[threadIdx.x] = sum; /* fault: carried_sum */
    }
    out[threadIdx.x] = sum;
}
static __global__ void carried_with_barriers(const float *in, float *out) {
    __shared__ volatile float part[THREADS];
    float sum = in[threadIdx.x];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < 16) {
        sum += part[threadIdx.x + 16];
        part[threadIdx.x] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 8) {
        sum += part[threadIdx.x + 8];
        part[threadIdx.x] = sum;
    }
    out[threadIdx.x] = sum;
}
static __global__ void guard_off_by_one(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 2 * in[i];
}
static __global__ void swapped_grid(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x];
}
/* As an index of 2^31 that became -2^31. */
static __global__ void overflowed_index(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x - (1ll << 32)];
}

/* Nobody copies what it writes; the twin's result is read by another kernel. */
static __global__ void axpy(const float *x, float *y) {
    y[threadIdx.x] = 2 * x[threadIdx.x] + y[threadIdx.x];
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    const int away = twin ? 0 : FLOATS - 16;
    int known = 0;
    half *in;
    float *out, host[FLOATS];
    cudaMalloc(&in, HALVES * sizeof *in);
    cudaMalloc(&out, FLOATS * sizeof *out);
    cudaMemset(in, 0, HALVES * sizeof *in);
    cudaMemset(out, 0, FLOATS * sizeof *out);
#define FAULT(wanted) if (strcmp(name, #wanted) == 0 && (known = 1))
    FAULT(load_fragment) load_fragment<<<1, 32>>>(in, out, away / 16 * 16);
    FAULT(store_fragment) store_fragment<<<1, 32>>>(out, away / 16 * 16);
    FAULT(load_read_only) load_read_only<<<1, 32>>>(out + 32, out, twin ? 0 : FLOATS - 48);
    FAULT(store_streaming) store_streaming<<<1, 32>>>(out, away);
    FAULT(add_halves) add_halves<<<1, 32>>>(in, twin ? 1 : away);
    FAULT(atomic_of_library) atomic_of_library<<<1, 32>>>(out, away);
    FAULT(copy_of_group) copy_of_group<<<1, 32>>>(out + 32, out, twin ? 0 : FLOATS - 48);
    FAULT(fragment_race) fragment_race<<<1, 32>>>(in, out, twin);
    FAULT(past_fragment) past_fragment<<<1, 32>>>(in, out);
    FAULT(unset_array) {
        if (twin) {
            cudaMemset(out + 128, 0xfe, THREADS * sizeof *out);
            copy_data<<<1, THREADS>>>((const int *)out + 128, (int *)out);
            cudaMemset(out, 0, FLOATS * sizeof *out);
        }
        unset_array<<<1, THREADS>>>(out + 128, out, twin);
    }
    FAULT(unset_sum) unset_sum<<<1, THREADS>>>(out + 128, out, twin);
    FAULT(no_first_barrier) no_first_barrier<<<1, THREADS>>>(out + 128, out);
    FAULT(one_warp) one_warp<<<1, THREADS>>>(out + 128, out);
    FAULT(carried_sum) {
        if (twin)
            carried_with_barriers<<<1, THREADS>>>(out + 128, out);
        else
            carried_sum<<<1, THREADS>>>(out + 128, out);
    }
    FAULT(guard_off_by_one) guard_off_by_one<<<8, THREADS>>>(out, out, FLOATS);
    FAULT(swapped_grid) {
        float *fresh;
        cudaMalloc(&fresh, sizeof host);
        swapped_grid<<<dim3(1, 8), dim3(8, 8)>>>(out, fresh, 32, 8);
        cudaMemcpy(host, fresh, sizeof host, cudaMemcpyDeviceToHost);
        cudaFree(fresh);
    }
    FAULT(overflowed_index) overflowed_index<<<1, THREADS>>>(out, out);
    FAULT(unread) {
        float *y;
        cudaMalloc(&y, THREADS * sizeof *y); /* noted: unread */
        cudaMemset(y, 0, THREADS * sizeof *y);
        axpy<<<1, THREADS>>>(out, y);
        if (twin)
            axpy<<<1, THREADS>>>(y, out);
        cudaFree(y);
    }
    if (!known) {
        fprintf(stderr, "named_faults: there is no fault '%s'\n", name);
        return 2;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
