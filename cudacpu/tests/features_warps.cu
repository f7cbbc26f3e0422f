/* features_warps.cu - threads that work together: barriers, warps, flags that they poll,
 * products by a warp. */
#include "device_words.h"
#include <mma.h>

static __global__ void votes(int *p) {
    int x = threadIdx.x;
    int count = __syncthreads_count(x % 3 == 0), all = __syncthreads_and(x < 96),
        any = __syncthreads_or(x == 95), none = __syncthreads_or(x > 95);
    p[x] = count * 8 + (all != 0) * 4 + (any != 0) * 2 + (none != 0);
}
static const char *test_votes() {
    START();
    votes<<<1, 96>>>(device_words);
    FINISH();
    for (int i = 0; i < 96; i++)
        EXPECT(words[i] == 32 * 8 + 6);
    return NULL;
}

static __device__ int block_sum(int value, int *shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < (unsigned)d)
            shared[threadIdx.x] += shared[threadIdx.x + d];
        __syncthreads();
    }
    int sum = shared[0];
    __syncthreads();
    return sum;
}
static __global__ void barrier_in_function(int *p) {
    __shared__ int shared[256];
    int first = block_sum((int)threadIdx.x, shared), second = block_sum(1, shared);
    p[blockIdx.x * blockDim.x + threadIdx.x] = first + 100000 * second;
}
static const char *test_barrier_in_function() {
    START();
    barrier_in_function<<<4, 256>>>(device_words);
    FINISH();
    for (int i = 0; i < 1024; i++)
        EXPECT(words[i] == 32640 + 25600000);
    return NULL;
}

static __global__ void early_return(int *p) {
    __shared__ int shared[64];
    if (threadIdx.x >= 40)
        return; /* a fault in most programs, and allowed since Volta */
    shared[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = shared[39 - threadIdx.x];
}
static const char *test_early_return() {
    START();
    early_return<<<1, 64>>>(device_words);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[i] == (i < 40 ? 39 - i : 0));
    return NULL;
}

static __global__ void warps(int *p) {
    int x = threadIdx.x, lane = x % 32;
    int *r = p + x * 16;
    r[0] = __shfl_sync(0xffffffffu, x, 5);
    r[1] = __shfl_up_sync(0xffffffffu, x, 3);
    r[2] = __shfl_down_sync(0xffffffffu, x, 4);
    r[3] = __shfl_xor_sync(0xffffffffu, x, 1);
    r[4] = __shfl_sync(0xffffffffu, x, 2, 8);
    r[5] = __shfl_up_sync(0xffffffffu, x, 3, 8);
    r[6] = __shfl_down_sync(0xffffffffu, x, 3, 8);
    r[7] = __shfl_xor_sync(0xffffffffu, x, 3, 8);
    r[8] = (int)__ballot_sync(0xffffffffu, lane % 2);
    r[9] = __any_sync(0xffffffffu, lane == 7) != 0;
    r[10] = __all_sync(0xffffffffu, lane == 7) != 0;
    r[11] = __all_sync(0xffffffffu, lane < 32) != 0;
    float sum = (float)lane;
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    r[12] = (int)__shfl_sync(0xffffffffu, sum, 0);
    __syncwarp();
}
static const char *test_warps() {
    START();
    warps<<<1, 64>>>(device_words);
    FINISH();
    for (int x = 0; x < 64; x++) {
        const int *r = words + x * 16, lane = x % 32, base = x - lane, group = x - x % 8;
        EXPECT(r[0] == base + 5 && r[1] == (lane >= 3 ? x - 3 : x) &&
               r[2] == (lane < 28 ? x + 4 : x) && r[3] == (x ^ 1));
        EXPECT(r[4] == group + 2 && r[5] == (x % 8 >= 3 ? x - 3 : x) &&
               r[6] == (x % 8 < 5 ? x + 3 : x) && r[7] == (x ^ 3));
        EXPECT((unsigned)r[8] == 0xaaaaaaaau && r[9] == 1 && r[10] == 0 && r[11] == 1 &&
               r[12] == 496);
    }
    return NULL;
}

/* Thread 0 and a block before the last poll what comes after them. */
static __global__ void poll_shared(int *p) {
    __shared__ volatile int told;
    if (threadIdx.x == 40)
        told = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (told != 7)
            __nanosleep(100);
        told = 9;
    } else if (threadIdx.x == 40) {
        told = 7;
        while (told != 9)
            __nanosleep(100);
    }
    __syncthreads();
    p[threadIdx.x] = told;
}
static __global__ void poll_global(volatile int *flags, int *p) {
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
        while (!flags[blockIdx.x + 1])
            __nanosleep(500);
    __syncthreads();
    __threadfence();
    p[32 * blockIdx.x + threadIdx.x] =
        blockIdx.x + 1 < gridDim.x ? ((volatile int *)p)[32 * blockIdx.x + 32] + 1 : 5;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        flags[blockIdx.x] = 1;
}
/* Header: cuda_runtime.h; covers: `__nanosleep` in a loop that polls memory, of another thread of
 * the block or of another block. */
static const char *test_polling() {
    enum { BLOCKS = 4 };
    START();
    poll_shared<<<1, 64>>>(device_words);
    poll_global<<<BLOCKS, 32>>>(device_words + 4000, device_words + 1000);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[i] == 9);
    for (int i = 0; i < 32 * BLOCKS; i++)
        EXPECT(words[1000 + i] == 5 + BLOCKS - 1 - i / 32);
    return NULL;
}

static __global__ void read_clocks(int *p) {
    unsigned long long first, last;
    const long long begin = clock64();
    const clock_t start = clock();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    do {
        __nanosleep(100);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(last));
    } while (last - first < 20000);
    p[0] = clock64() > begin;
    p[1] = clock() - start;
}
/* Header: cuda_runtime.h; covers: `clock`, `clock64`, the PTX register `globaltimer`. */
static const char *test_clocks() {
    START();
    read_clocks<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(words[0] == 1 && words[1] > 0);
    const clock_t before = clock();
    EXPECT(before >= 0 && clock() - before < CLOCKS_PER_SEC);
    int rate, overlap;
    OK(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0));
    OK(cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0));
    /* 20 us or more between them, and no clock beats 10 GHz. */
    EXPECT(words[1] >= 15e-3 * rate && rate > 0 && rate < 10000000 && overlap == 1);
    return NULL;
}

/* D = A B + C by a warp, A m x 16, B 16 x n, 8-bit integers; C and D int. */
template <int m, int n, class T, class layout_a, class layout_b>
static __global__ void warp_product(const T *a, const T *b, int *c, nvcuda::wmma::layout_t layout) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, m, n, 16, T, layout_a> left;
    fragment<matrix_b, m, n, 16, T, layout_b> right;
    fragment<accumulator, m, n, 16, int> sum, twice;
    load_matrix_sync(left, a, std::is_same<layout_a, row_major>::value ? 16 : m);
    load_matrix_sync(right, b, std::is_same<layout_b, row_major>::value ? n : 16);
    load_matrix_sync(sum, c, layout == mem_row_major ? n : m, layout);
    mma_sync(sum, left, right, sum);
    fill_fragment(twice, 0);
    for (int i = 0; i < sum.num_elements; i++)
        twice.x[i] += 2 * sum.x[i];
    store_matrix_sync(c, twice, layout == mem_row_major ? n : m, layout);
}
template <int m, int n, class T, class layout_a, class layout_b>
static const char *try_warp_product(nvcuda::wmma::layout_t layout) {
    const bool rows_a = std::is_same<layout_a, nvcuda::wmma::row_major>::value;
    const bool rows_b = std::is_same<layout_b, nvcuda::wmma::row_major>::value;
    T host_a[32 * 16], host_b[16 * 32], *a, *b;
    for (int i = 0; i < 32 * 16; i++) {
        host_a[i] = (T)(i * 37 + i / 7);
        host_b[i] = (T)(i * 91 - i / 5);
    }
    START();
    for (int i = 0; i < m * n; i++)
        words[i] = 1000 * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&a, sizeof host_a));
    OK(cudaMalloc(&b, sizeof host_b));
    OK(cudaMemcpy(a, host_a, sizeof host_a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, host_b, sizeof host_b, cudaMemcpyHostToDevice));
    warp_product<m, n, T, layout_a, layout_b><<<1, 32>>>(a, b, device_words, layout);
    FINISH();
    OK(cudaFree(a));
    OK(cudaFree(b));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int at = layout == nvcuda::wmma::mem_row_major ? i * n + j : j * m + i;
            int sum = 1000 * at;
            for (int k = 0; k < 16; k++)
                sum += host_a[rows_a ? i * 16 + k : k * m + i] *
                       host_b[rows_b ? k * n + j : j * 16 + k];
            EXPECT(words[at] == 2 * sum);
        }
    return NULL;
}
/* Header: mma.h; covers: 8-bit integers (16x16x16, 32x8x16, 8x32x16); not: integers of fewer bits.
 */
static const char *test_warp_matrices() {
    using namespace nvcuda::wmma;
    const char *problem =
        try_warp_product<16, 16, signed char, row_major, col_major>(mem_row_major);
    if (!problem)
        problem = try_warp_product<16, 16, unsigned char, col_major, row_major>(mem_col_major);
    if (!problem)
        problem = try_warp_product<32, 8, signed char, col_major, col_major>(mem_row_major);
    if (!problem)
        problem = try_warp_product<8, 32, signed char, row_major, row_major>(mem_col_major);
    return problem;
}

extern "C" const conformance_case warp_features[] = {
    {"barriers that vote", test_votes},      {"barrier in a function", test_barrier_in_function},
    {"early return", test_early_return},     {"warps", test_warps},
    {"flags that are polled", test_polling}, {"clocks", test_clocks},
    {"warp matrices", test_warp_matrices},   {NULL, NULL}};
