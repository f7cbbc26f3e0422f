/* features_launch.cu - launches: coordinates, syntax, order in a stream. */
#include "device_words.h"

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
        EXPECT(words[i] == 3 * i && f == 0.5f * i);
        EXPECT(words[16 + i] == 4 * i && words[24 + i] == 5 * i);
        EXPECT(words[32 + i] == (i < 3 ? 15 : 0) && words[40 + i] == (i < 4 ? 9 : 0));
    }
    EXPECT(words[48] == 8 && words[49] == 2);
    return NULL;
}
/* clang-format on */
/* Braces in a configuration; a kernel that a member, a pointer to one or a call names. */
struct two_words {
    int first, second;
};
template <int N> static __global__ void store_words(int *p, const two_words w, int more) {
    p[0] = w.first * N + w.second + more;
}
struct chosen_kernel {
    void (*kernel)(int *, int, int);
    /* clang-format off */
    void start(int *p) const { this->kernel<<<{1}, {2}>>>(p, 1, 1); }
    /* clang-format on */
};
static auto choose() { return store; }
/* clang-format off */
static const char *test_other_launches() {
    START();
    const chosen_kernel chosen = {store}, *pointer = &chosen;
    store<<<{1, 1, 1}, {3}>>>(device_words, 2, 3);
    store<<<dim3{1}, {2, 1}, 0, 0>>>(device_words + 8, 2);
    chosen.start(device_words + 16);
    chosen.kernel<<<1, 1>>>(device_words + 24, 2, 2);
    pointer->kernel<<<1, 1>>>(device_words + 32, 3, 3);
    choose()<<<1, 1>>>(device_words + 40, 4, 4);
    if (pointer) (store)<<<1, 1>>>(device_words + 48, 5, 5);
    const int ten = 10;
    store_words<3><<<1, 1>>>(device_words + 56, {ten, 2}, {});
    FINISH();
    EXPECT(words[2] == 5 && words[3] == 0 && words[9] == 9 && words[10] == 0);
    for (int i = 1; i <= 5; i++)
        EXPECT(words[8 + 8 * i] == 2 * i);
    EXPECT(words[56] == 32);
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

/* A literal 0: a number or a null pointer, and of a template's type where it gives it. */
template <typename T> static __global__ void fill_with(T *p, T value) { p[threadIdx.x] = value; }
template <typename T, typename U> static __global__ void add_size(T value, U *p, const int *none) {
    *p = (U)(value + sizeof(T) + (none == nullptr));
}
template <typename T> static __global__ void sum_both(T a, T b, int *p) { *p = (int)sizeof(a + b); }
static __global__ void store_float(float value, const int *none, int *p) {
    *p = (int)value + (none == nullptr);
}
static const char *test_zeros() {
    START();
    store<<<1, 4>>>(device_words, 8);
    fill_with<<<1, 3>>>(device_words, 0);
    add_size<<<1, 1>>>(0, device_words + 8, 0);
    sum_both<<<1, 1>>>(0, 0, device_words + 9);
    store_float<<<1, 1>>>(0, 0, device_words + 10);
    FINISH();
    EXPECT(words[2] == 0 && words[3] == 15);
    EXPECT(words[8] == (int)sizeof(int) + 1 && words[9] == (int)sizeof(int) && words[10] == 1);
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
    const char *raw = R"(a "quoted" mark<<<1, 1>>>(p, 1); and // no comment)";
    const char quote = '"', less[] = "<<<";
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
        outer::inner::mark<<<b >> 4, (b >> shift) / 4, thousand < b >> shift>>>(
            device_words + i, i < b >> 1 ? 1 : 2);
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
    const int expected[] = {401, 401, 401, 401, 401, 401, 401, 401, 8, 9,
                            9,   250, 2,   2,   14,  15,  16,  17,  4};
    for (int i = 0; i < 19; i++)
        EXPECT(words[i] == expected[i]);
    return NULL;
}
/* clang-format on */

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

static cudaLaunchConfig_t make_config(dim3 grid, dim3 block, cudaLaunchAttribute *attribute) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.attrs = attribute;
    config.numAttrs = attribute ? 1 : 0;
    return config;
}
static __global__ void fill_through_shared(int *p, float value) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = (int)(2 * value) + (int)threadIdx.x;
    p[blockIdx.x * blockDim.x + threadIdx.x] = dynamic[threadIdx.x];
}
static const char *test_launch_config() {
    START();
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaDeviceSynchronize());
    cudaLaunchAttribute nothing = {};
    cudaLaunchConfig_t config = make_config(2, 4, NULL), *same = &config;
    same->dynamicSmemBytes = 4 * sizeof(int);
    config.stream = stream;
    OK(cudaLaunchKernelEx(&config, fill_through_shared, device_words, 1.5)); /* a double */
    const cudaLaunchConfig_t ignored = make_config(same->gridDim, dim3(8), &nothing);
    OK(cudaLaunchKernelEx(&ignored, scale_by<5, int>, device_words + 8));
    int *to = device_words + 16, value = 3, other = 4;
    void *arguments[] = {&to, &value, &other};
    OK(cudaLaunchKernelExC(&ignored, (const void *)store, arguments));
    void (*pointer)(int *, int, int) = store;
    OK(::cudaLaunchKernelExC(&ignored, reinterpret_cast<const void *>(pointer), arguments));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    config.stream = 0;
    config.blockDim.x = 4096;
    const cudaError_t refused = cudaLaunchKernelEx(&config, store, to, 0, 0);
    EXPECT(refused == cudaErrorInvalidConfiguration || refused == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == refused); /* the second: CUDA 13's, as in conformance.cu */
    FINISH();
    for (int i = 0; i < 8; i++)
        EXPECT(words[i] == 3 + i % 4 && words[8 + i] == 5 * i && words[16 + i] == 7);
    return NULL;
}

/* What it does in the kernel: cudacpu/tests/ptx/cluster_dims.cu. */
static const char *test_cluster_attribute() {
    START();
    int has_clusters = 0;
    OK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    cudaLaunchAttribute pairs = {};
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim.x = 2;
    pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = make_config(4, 8, &pairs);
    if (has_clusters) {
        OK(cudaLaunchKernelEx(&config, store, device_words, 1, 2));
        config.gridDim = dim3(5); /* no multiple of the cluster */
        EXPECT(cudaLaunchKernelEx(&config, store, device_words, 3, 4) ==
               cudaErrorInvalidClusterSize);
        EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
    }
    FINISH();
    EXPECT(words[7] == (has_clusters ? 3 : 0) && words[8] == 0);
    return NULL;
}

/* A chain of kernels that may each begin before the one before it has ended: what a kernel reads of
 * the one before stands after its wait. Below compute capability 9.0 there is no such thing. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static __device__ void trigger() { cudaTriggerProgrammaticLaunchCompletion(); }
static __device__ void await() { cudaGridDependencySynchronize(); }
#else
static __device__ void trigger() {}
static __device__ void await() {}
#endif
static __global__ void add_to_next(const int *from, int *to, int value) {
    __shared__ int values[64];
    values[threadIdx.x] = value; /* of this launch alone: before the wait */
    trigger();
    if (threadIdx.x == 0)
        await();
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    to[i] = from[(i + 1) % n] + values[63 - threadIdx.x];
}
static const char *test_programmatic_launch() {
    START();
    enum { BLOCKS = 16, HALF = BLOCKS * 64, ROUNDS = 7 };
    int has_clusters = 0; /* as old as these launches */
    OK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = make_config(BLOCKS, 64, has_clusters ? &early : NULL);
    OK(cudaStreamCreate(&config.stream));
    OK(cudaDeviceSynchronize());
    for (int round = 0; round < ROUNDS; round++) {
        early.val.programmaticStreamSerializationAllowed = round != 3;
        OK(cudaLaunchKernelEx(&config, add_to_next, device_words + round % 2 * HALF,
                              device_words + (round + 1) % 2 * HALF, 1 << round));
    }
    OK(cudaStreamSynchronize(config.stream));
    OK(cudaStreamDestroy(config.stream));
    FINISH();
    for (int i = 0; i < HALF; i++)
        EXPECT(words[ROUNDS % 2 * HALF + i] == (1 << ROUNDS) - 1);
    return NULL;
}

/* A block larger than __launch_bounds__ is refused, however the kernel is launched. */
static __global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
template <typename T, int MOST>
static __launch_bounds__(2 * MOST, 1) __global__ void bounded_by(T *p) {
    p[threadIdx.x] = MOST;
}
template <typename T> static __launch_bounds__(64) __global__ void deduced(T *) {}
/* Header: cuda_runtime.h; covers: blocks larger than `__launch_bounds__` are refused, and the
 * occupancy functions know them. */
static const char *test_launch_bounds() {
    START();
    bounded<<<1, 129>>>(device_words);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    bounded<<<1, 1025>>>(device_words);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    bounded<<<1, 128>>>(device_words);
    OK(cudaGetLastError());
    void *arguments[] = {&device_words};
    EXPECT(cudaLaunchKernel((void *)bounded, dim3(1), dim3(8, 17), arguments) ==
           cudaErrorInvalidValue);
    cudaGetLastError();
    bounded_by<int, 32><<<1, dim3(13, 5)>>>(device_words + 128);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    bounded_by<int, 32><<<1, 64>>>(device_words + 128);
    deduced<<<1, 65>>>(device_words);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaGetLastError());
    int grid, block;
    cudaFuncAttributes attributes;
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
    OK(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(block == 128 && attributes.maxThreadsPerBlock == 128);
    FINISH();
    EXPECT(words[127] == 1 && words[128 + 63] == 32 && words[128 + 64] == 0);
    return NULL;
}

/* Header: cuda_runtime.h; covers: properties and attributes of a device: caches, bus and limits of
 * textures as those of compute capability 9.0. */
static const char *test_device_query() {
    cudaDeviceProp device;
    OK(cudaGetDeviceProperties(&device, 0));
    EXPECT(device.l2CacheSize > 0 && device.memoryBusWidth > 0);
    EXPECT(device.maxTexture1D > 0 && device.maxTexture2D[1] > 0 && device.maxTexture3D[2] > 0);
    EXPECT(device.maxTexture2DLayered[2] > 0 && device.surfaceAlignment > 0);
    const struct {
        cudaDeviceAttr attribute;
        int value;
    } expected[] = {{cudaDevAttrL2CacheSize, device.l2CacheSize},
                    {cudaDevAttrGlobalMemoryBusWidth, device.memoryBusWidth},
                    {cudaDevAttrMaxTexture2DHeight, device.maxTexture2D[1]},
                    {cudaDevAttrMaxSurface3DDepth, device.maxSurface3D[2]},
                    {cudaDevAttrEccEnabled, device.ECCEnabled}};
    for (const auto &e : expected) {
        int value = -1;
        OK(cudaDeviceGetAttribute(&value, e.attribute, 0));
        EXPECT(value == e.value);
    }
    int rate = 0;
    OK(cudaDeviceGetAttribute(&rate, cudaDevAttrMemoryClockRate, 0));
    EXPECT(rate > 0);
    return NULL;
}

extern "C" const conformance_case launch_features[] = {
    {"coordinates", test_coordinates},
    {"launch syntax", test_launches},
    {"more launch syntax", test_more_launches},
    {"other launches", test_other_launches},
    {"zeros", test_zeros},
    {"default arguments", test_default_arguments},
    {"stream order", test_stream_order},
    {"launch configuration", test_launch_config},
    {"cluster attribute", test_cluster_attribute},
    {"programmatic launch", test_programmatic_launch},
    {"launch bounds", test_launch_bounds},
    {"device query", test_device_query},
    {NULL, NULL}};
