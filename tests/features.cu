/* features.cu - what device code may use, checked the same way on both backends. */
#include "conformance.h"
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <string.h>

/* Results go to this many words of device memory, cleared before each test. */
enum { WORDS = 4096 };
static int *device_words, words[WORDS];
#define START()                                                                                    \
    do {                                                                                           \
        OK(cudaMalloc(&device_words, sizeof words));                                               \
        OK(cudaMemset(device_words, 0, sizeof words));                                             \
    } while (0)
#define FINISH()                                                                                   \
    do {                                                                                           \
        OK(cudaGetLastError());                                                                    \
        OK(cudaMemcpy(words, device_words, sizeof words, cudaMemcpyDeviceToHost));                 \
        OK(cudaFree(device_words));                                                                \
    } while (0)

struct totals {
    double d; /* first: aligned */
    unsigned long long ull, ull_max;
    int i, sub, least, most, ored, xored, anded, exchanged;
    unsigned u, inc, dec;
    float f;
    unsigned cas;
};
static __global__ void atomics(totals *t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&t->i, i);
    atomicSub(&t->sub, 2);
    atomicAdd(&t->u, 3u);
    atomicAdd(&t->ull, 1ull << 33);
    atomicMax(&t->ull_max, (unsigned long long)i << 34);
    atomicAdd(&t->f, 0.5f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
    atomicAdd(&t->d, 0.25);
#endif
    atomicMin(&t->least, -i);
    atomicMax(&t->most, i);
    atomicOr(&t->ored, 1 << (i % 31));
    atomicXor(&t->xored, i);
    atomicAnd(&t->anded, ~15);
    atomicExch(&t->exchanged, i + 1);
    atomicInc(&t->inc, 9u);
    atomicDec(&t->dec, 9u);
    unsigned old = t->cas, seen;
    while ((seen = atomicCAS(&t->cas, old, old + 5)) != old)
        old = seen;
}
static const char *test_atomics() {
    START();
    totals t;
    atomics<<<10, 100>>>((totals *)device_words);
    FINISH();
    memcpy(&t, words, sizeof t);
    EXPECT(t.i == 499500 && t.sub == -2000 && t.u == 3000 && t.ull == 1000ull << 33 &&
           t.ull_max == 999ull << 34);
    EXPECT(t.f == 500.0f);
    EXPECT(t.d == 250.0);
    EXPECT(t.least == -999 && t.most == 999 && t.ored == 0x7fffffff && t.xored == 0 &&
           t.anded == 0);
    EXPECT(t.exchanged >= 1 && t.exchanged <= 1000);
    EXPECT(t.inc == 0 && t.dec == 0 && t.cas == 5000);
    return NULL;
}

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

struct pair {
    int number;
    float value;
};
static __global__ void shared_structs(int *p) {
    __shared__ pair pairs[64];
    __shared__ int total;
    int x = threadIdx.x;
    if (x == 0)
        total = 0;
    pairs[x].number = x;
    pairs[x].value = 2.0f * x;
    __syncthreads();
    atomicAdd(&total, pairs[63 - x].number);
    __syncthreads();
    p[x] = (int)pairs[63 - x].value + total;
}
extern __shared__ float dynamic_floats[];
static __global__ void shared_floats(int *p) {
    dynamic_floats[threadIdx.x] = 0.5f * threadIdx.x;
    __syncthreads();
    p[64 + threadIdx.x] = (int)(2 * dynamic_floats[63 - threadIdx.x]);
}
static __global__ void shared_doubles(int *p) {
    extern __shared__ double dynamic_doubles[];
    int *tail = (int *)(dynamic_doubles + 64);
    dynamic_doubles[threadIdx.x] = threadIdx.x;
    tail[threadIdx.x] = 1000;
    __syncthreads();
    p[128 + threadIdx.x] = (int)dynamic_doubles[63 - threadIdx.x] + tail[63 - threadIdx.x];
}
static const char *test_shared() {
    START();
    shared_structs<<<1, 64>>>(device_words);
    shared_floats<<<1, 64, 64 * sizeof(float)>>>(device_words);
    shared_doubles<<<1, 64, 64 * (sizeof(double) + sizeof(int))>>>(device_words);
    FINISH();
    for (int x = 0; x < 64; x++)
        EXPECT(words[x] == 2 * (63 - x) + 2016 && words[64 + x] == 63 - x &&
               words[128 + x] == 1063 - x);
    return NULL;
}

static __global__ void coordinates(int *p) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    p[block * blockDim.x * blockDim.y * blockDim.z + thread] += (int)(block * 100 + thread + 1);
}
static const char *test_coordinates() {
    START();
    coordinates<<<dim3(2, 3, 4), dim3(5, 2, 3)>>>(device_words);
    FINISH();
    for (int i = 0; i < 24 * 30; i++)
        EXPECT(words[i] == i / 30 * 100 + i % 30 + 1);
    EXPECT(words[24 * 30] == 0);
    return NULL;
}

template <typename T> static __global__ void scale(T *p, T factor) {
    p[threadIdx.x] = (T)(threadIdx.x * factor);
}
template <int FACTOR, typename T> static __global__ void scale_by(T *p) {
    p[threadIdx.x] = (T)(threadIdx.x * FACTOR);
}
static int twice(int x) { return 2 * x; }
static __global__ void store(int *p, int value, int other = 7) { p[threadIdx.x] = value + other; }
/* clang-format knows no launches, and here the odd layout is the test. */
/* clang-format off */
static const char *test_launches() {
    START();
    /* A launch in a comment: store<<<1, 1>>>(device_words, 1); */
    const char *text = "store<<<1, 1>>>(device_words, 1);"; // store<<<2, 2>>>(NULL, 3);
    EXPECT(strlen(text) == 33 && text[5] == '<');
    scale<<<1, 8>>>(device_words, 3);
    scale<float><<<1, 8>>>((float *)device_words + 8, 0.5f);
    scale_by<4, int><<<1, 8>>>(device_words + 16);
    scale_by<(9 > 8 ? 5 : 6)><<<1, 8>>>(device_words + 24);
    store<<<1, 7 >> 1>>>(device_words + 32, twice(twice(3)), 7 >> 1);
    store<<<
        dim3(1),
        dim3(twice(2), 1)
        >>>(
        device_words + 40, /* a comment, with (a bracket */
        twice(1 << 2)
        , 1);
    store<<<1, 1>>>(device_words + 48, 1, 7);
    if (twice(1) == 2)
        store<<<1, 1>>>(device_words + 49, 2, 0);
    else
        store<<<1, 1>>>(device_words + 49, 3, 0);
    FINISH();
    for (int i = 0; i < 8; i++) {
        float f;
        memcpy(&f, &words[8 + i], sizeof f);
        EXPECT(words[i] == 3 * i && f == 0.5f * i && words[16 + i] == 4 * i && words[24 + i] == 5 * i);
        EXPECT(words[32 + i] == (i < 3 ? 15 : 0) && words[40 + i] == (i < 4 ? 9 : 0));
    }
    EXPECT(words[48] == 8 && words[49] == 2);
    return NULL;
}
/* clang-format on */
static const char *test_default_arguments() {
    START();
    store<<<1, 1>>>(device_words, 1);
    FINISH();
    EXPECT(words[0] == 8);
    return NULL;
}

/* Launches where a text replacement would go wrong. */
namespace outer {
namespace inner {
template <int N, bool LARGE> struct shape { static const int value = LARGE ? 100 * N : N; };
template <class SHAPE, class T> static __global__ void fill(T *p, T more) {
    p[threadIdx.x] = (T)SHAPE::value + more;
}
static __global__ void mark(int *p, int value) { *p = value; }
} // namespace inner
} // namespace outer
template <class T> static void fill_all(T *p) {
    outer::inner::fill<outer::inner::shape<sizeof(T), (sizeof(T) > 2)>, T><<<1, 4>>>(p, T(1));
}
#define MARK(place, value) outer::inner::mark<<<1, 1>>>(device_words + (place), value)
#define MARK_TWICE(place, value)                                                                   \
    do {                                                                                           \
        MARK(place, value);                                                                        \
        MARK((place) + 1, value);                                                                  \
    } while (0)
/* clang-format off */
static const char *test_more_launches() {
    START();
    const char *raw = R"(a "quoted" mark<<<1, 1>>>(p, 1); and // no comment)", quote = '"', less[] = "<<<";
    /* An apostrophe isn't a quote here, nor in 1'000: */
    const int thousand = 1'000, shift = 2, b = 16;
    bool smaller = thousand < b >> shift, larger = thousand << shift > b;
    EXPECT(strlen(raw) == 50 && quote == '"' && less[2] == '<' && !smaller && larger);
    fill_all(device_words);
    fill_all(device_words + 4);
    MARK(8, 8);
    MARK_TWICE(9, 9);
    outer::inner::mark // a comment between the name and the launch
        <<<1, 1>>>     /* and another <<<2, 2>>> */
        (device_words + 11, thousand >> shift);
    for (int i = 12; i < 14; i++)
        outer::inner::mark<<<b >> 4, (b >> shift) / 4, thousand < b >> shift>>>(device_words + i, i < b >> 1 ? 1 : 2);
    void (*chosen[2])(int *, int) = {NULL, outer::inner::mark};
    chosen[1]<<<1, 1>>>(device_words + 14, 14);
    (*chosen[shift > 1])<<<1, 1>>>(device_words + 15, 15);
    auto later = [&](int value) { ::outer::inner::mark<<<1, 1>>>(device_words + 16, value); };
    later(16);
    const int line = __LINE__; /* the lines below keep their numbers */
    outer::inner::mark<<<1,
                         1>>>(device_words + 17,
                              17);
    outer::inner::mark<<<1, 1>>>(device_words + 18, __LINE__ - line);
    FINISH();
    const int expected[] = {401, 401, 401, 401, 401, 401, 401, 401, 8, 9, 9, 250, 2, 2, 14, 15, 16, 17, 4};
    for (int i = 0; i < 19; i++)
        EXPECT(words[i] == expected[i]);
    return NULL;
}
/* clang-format on */

/* Dynamic shared memory under several names and types: one array, whatever it is called. */
extern __shared__ unsigned char shared_bytes[];
extern __shared__ __align__(16) unsigned shared_words[];
struct halves {
    unsigned short low, high;
};
template <class T> static __device__ T *shared_of() {
    extern __shared__ __align__(16) unsigned char shared_of[];
    return (T *)shared_of;
}
template <class T> static __global__ void through_template(int *p) {
    T *values = shared_of<T>();
    values[threadIdx.x] = (T)(threadIdx.x + 1);
    __syncthreads();
    p[threadIdx.x] = (int)values[blockDim.x - 1 - threadIdx.x];
}
static __global__ void same_array(int *p) {
    extern __shared__ halves shared_halves[];
    extern volatile __shared__ int shared_ints[];
    shared_words[threadIdx.x] = 0x01020304u + threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = shared_bytes[4 * threadIdx.x] == 4 + threadIdx.x &&
                     shared_halves[threadIdx.x].high == 0x0102 &&
                     shared_ints[threadIdx.x] == 0x01020304 + (int)threadIdx.x;
}
static const char *test_dynamic_shared() {
    START();
    through_template<double><<<1, 16, 16 * sizeof(double)>>>(device_words);
    through_template<short><<<1, 16, 16 * sizeof(short)>>>(device_words + 16);
    same_array<<<1, 16, 16 * sizeof(int)>>>(device_words + 32);
    FINISH();
    for (int i = 0; i < 16; i++)
        EXPECT(words[i] == 16 - i && words[16 + i] == 16 - i && words[32 + i] == 1);
    return NULL;
}

__constant__ float coefficients[4];
__device__ int counter;
static __global__ void use_constants(int *p) {
    p[threadIdx.x] = (int)coefficients[threadIdx.x];
    atomicAdd(&counter, 1);
}
static const char *test_constants() {
    const float host[4] = {4, 3, 2, 1};
    int count = -1;
    START();
    OK(cudaMemcpyToSymbol(coefficients, host, sizeof host));
    use_constants<<<1, 4>>>(device_words);
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    FINISH();
    EXPECT(words[0] == 4 && words[3] == 1 && count == 4);
    return NULL;
}

static __global__ void append(int *p, int digit) { *p = *p * 3 + digit; }
static const char *test_stream_order() {
    START();
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaDeviceSynchronize());
    int expected = 0;
    for (int i = 0; i < 12; i++) {
        append<<<1, 1, 0, stream>>>(device_words, i % 3);
        expected = expected * 3 + i % 3;
    }
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    FINISH();
    EXPECT(words[0] == expected);
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

static __global__ void arithmetic(int *p, const float *in) {
    float a = __ldg(in), b = __ldg(in + 1);
    p[0] = min(3, -2);
    p[1] = max(3, -2);
    p[2] = (int)min(2.5f, 7.0f) + (int)max(1.5, 9.0);
    p[3] = (int)min(3u, 4u);
    /* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, with one rounding alone */
    p[4] = __fmaf_rn(a, a, -b) == ldexpf(1.0f, -24);
    p[5] = fmaf(a, a, -b) == ldexpf(1.0f, -24);
    p[6] = a * a - b == 0; /* two roundings: not contracted */
    p[7] = __popc(0xf0f0u);
    p[8] = __clz(1);
    p[9] = __clz(0);
    p[10] = __ffs(8);
    p[11] = __float_as_int(1.0f);
    p[12] = (int)__int_as_float(0x40000000);
    p[13] = __popcll(0xffull << 30);
    p[14] = warpSize;
    p[15] = __dp4a((int)0x7f80ff01, (int)0x807f0203, 5); /* -127 * 128 - 128 * 127 - 2 + 3 + 5 */
}
static const char *test_arithmetic() {
    START();
    float host[2] = {1 + 0x1p-12f, 1 + 0x1p-11f}, *in;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    arithmetic<<<1, 1>>>(device_words, in);
    FINISH();
    OK(cudaFree(in));
    const int expected[] = {-2, 3, 11, 3, 1, 1, 1, 8, 31, 32, 4, 0x3f800000, 2, 8, 32, -32506};
    for (int i = 0; i < 16; i++)
        EXPECT(words[i] == expected[i]);
    return NULL;
}

static __global__ void vectors(float4 *p, const float4 *in) {
    float4 v = in[threadIdx.x];
    float2 w = make_float2(v.x, v.w);
    int3 k = make_int3(1, 2, 3);
    p[threadIdx.x] = make_float4(v.w + k.x, v.z + k.y, v.y + k.z, w.x + w.y);
}
static const char *test_vectors() {
    START();
    EXPECT(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12 &&
           alignof(float2) == 8);
    float4 host[8], *in;
    for (int i = 0; i < 8; i++)
        host[i] = make_float4(i, 10 + i, 20 + i, 30 + i);
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    vectors<<<1, 8>>>((float4 *)device_words, in);
    FINISH();
    OK(cudaFree(in));
    memcpy(host, words, sizeof host);
    for (int i = 0; i < 8; i++)
        EXPECT(host[i].x == 31 + i && host[i].y == 22 + i && host[i].z == 13 + i &&
               host[i].w == 30 + 2 * i);
    return NULL;
}

/* Two groups of copies: 16 bytes of which the last 4 are zeros; 8 and 4 bytes. Each thread reads
 * its neighbour's. */
static __global__ void copies(const int *in, int *out) {
    __shared__ __align__(16) int first[32][4], second[32][4];
    int i = threadIdx.x, other = (i + 1) % 32;
    __pipeline_memcpy_async(first[i], in + 4 * i, 16, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(second[i], in + 4 * i, 8);
    __pipeline_memcpy_async(&second[i][3], in + 4 * i + 3, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < 4; j++)
        out[8 * i + j] = first[other][j];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < 4; j++)
        if (j != 2)
            out[8 * i + 4 + j] = second[other][j];
}
static const char *test_copies() {
    int host[128], *in;
    START();
    for (int i = 0; i < 128; i++)
        host[i] = 1000 + i;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    copies<<<1, 32>>>(in, device_words);
    FINISH();
    OK(cudaFree(in));
    for (int i = 0; i < 32; i++) {
        int from = 1000 + 4 * ((i + 1) % 32), *got = words + 8 * i;
        EXPECT(got[0] == from && got[1] == from + 1 && got[2] == from + 2 && got[3] == 0);
        EXPECT(got[4] == from && got[5] == from + 1 && got[6] == 0 && got[7] == from + 3);
    }
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

/* Words that are also read and written as vectors and as other types of their size: nvcc assumes no
 * strict aliasing. */
static __global__ void cast_words(const int *zero, int *p) {
    __shared__ int shared[4 * 64];
    int *own = shared + 4 * threadIdx.x;
    own[0] = *zero + 1, own[1] = 2, own[2] = 3, own[3] = 4;
    ((long long *)own)[0] += 10;
    own[0] += 100;
    float4 v = *(float4 *)own; /* the bits alone are moved */
    *(float4 *)own = make_float4(v.w, v.y, v.z, v.x);
    own[0] *= 2;
    *(int4 *)(p + 4 * threadIdx.x) = make_int4(own[0], own[1], own[2], own[3]);
}
static const char *test_casts() {
    START();
    cast_words<<<1, 64>>>(device_words + 256, device_words);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[4 * i] == 8 && words[4 * i + 1] == 2 && words[4 * i + 2] == 3 &&
               words[4 * i + 3] == 111);
    return NULL;
}

extern "C" const conformance_case feature_cases[] = {
    {"atomics", test_atomics},
    {"barriers that vote", test_votes},
    {"warps", test_warps},
    {"shared memory", test_shared},
    {"coordinates", test_coordinates},
    {"launch syntax", test_launches},
    {"more launch syntax", test_more_launches},
    {"dynamic shared memory", test_dynamic_shared},
    {"constants", test_constants},
    {"stream order", test_stream_order},
    {"barrier in a function", test_barrier_in_function},
    {"early return", test_early_return},
    {"arithmetic", test_arithmetic},
    {"vector types", test_vectors},
    {"casts to vectors", test_casts},
    {"warp matrices", test_warp_matrices},
    {"default arguments", test_default_arguments},
    {"asynchronous copies", test_copies},
    {NULL, NULL}};
