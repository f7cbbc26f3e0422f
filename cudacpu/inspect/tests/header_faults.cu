/* header_faults.cu - faults within functions of cudacpu's own headers: what inspect must find, and
 * that it names the program's line, which called them; beside each its correct twin.
 *
 *     header_faults NAME [twin]
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

enum { HALVES = 256, FLOATS = 256 };

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
    if (!known) {
        fprintf(stderr, "header_faults: there is no fault '%s'\n", name);
        return 2;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
