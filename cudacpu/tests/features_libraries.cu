/* features_libraries.cu - random numbers in kernels; cuda::atomic, cuda::barrier, cuda::pipeline;
 * graphs. The sequences are those of cuRAND's own header; Philox's first words also the known
 * answers of its authors for counter and key 0. */
#include "device_words.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <curand_kernel.h>
#include <math.h>

template <class S>
static __global__ void draw_words(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, int *p) {
    S state;
    curand_init(seed, subsequence, offset, &state);
    for (int i = 0; i < 7; i++)
        p[i] = (int)curand(&state);
}
struct sequence {
    unsigned long long seed, subsequence, offset;
    unsigned words[7];
};
template <class S> static const char *try_words(const sequence &s) {
    START();
    draw_words<S><<<1, 1>>>(s.seed, s.subsequence, s.offset, device_words);
    FINISH();
    for (int i = 0; i < 7; i++)
        EXPECT((unsigned)words[i] == s.words[i]);
    return NULL;
}
/* Header: curand_kernel.h; covers: XORWOW, Philox, MRG32k3a: cuRAND's words, bit for
 * bit; not: MTGP32, Poisson. */
static const char *test_words() {
    static const sequence xorwow[] = {
        {0u,
         0u,
         0u,
         {0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd, 0x1245241f, 0x7666f33f, 0x3a46d453}},
        {1234u,
         0u,
         0u,
         {0x253d5e15, 0x6f558604, 0xdee6daf2, 0x7485b394, 0xdb6a6a85, 0x95195c6b, 0x338f343f}},
        {1234u,
         1u,
         0u,
         {0xd1f7605a, 0xed29ae49, 0x83030ed9, 0x899fbaf4, 0xcf2ac63b, 0x047c6db7, 0x7307c980}},
        {1234u,
         77u,
         5u,
         {0xf5279357, 0x5f87c5b3, 0xd46780b3, 0x1885f496, 0x69f38a7a, 0xe0a526af, 0x5bd4bed5}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0x73a5b759, 0x4f47df57, 0xc81928a0, 0x07703324, 0x50f64944, 0x72d8a919, 0xd3288ea4}},
        {42u,
         3u,
         4096u,
         {0x3d869c37, 0xd1f92719, 0xf6102fce, 0x020ee9e2, 0x4d6264a7, 0x618fd77d, 0xf68153a4}}};
    static const sequence philox[] = {
        {0u,
         0u,
         0u,
         {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4, 0x5cb200db, 0xb1a574eb}},
        {1234u,
         0u,
         0u,
         {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x9eeede35, 0x1cbe137c, 0xfa277093}},
        {1234u,
         1u,
         0u,
         {0xd115a128, 0x52fc7c75, 0xc7f33f17, 0x0f1539db, 0x07129e5f, 0x653d7a73, 0x1d8331c1}},
        {1234u,
         77u,
         5u,
         {0x48493028, 0x2f37d10d, 0xfb38f548, 0x7cd12696, 0x1f992270, 0x2e3323a8, 0xe722a1ab}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0xd8a2be9a, 0xd7048263, 0x432ba4e4, 0x22bca8ed, 0x39d0a5ec, 0x9dad62be, 0xe9acbd02}},
        {42u,
         3u,
         4096u,
         {0x479265d8, 0x0f1fe270, 0xd34c03fc, 0xc6950d37, 0x1dad2f82, 0xa80dd4aa, 0xa723bd5b}}};
    static const sequence mrg[] = {
        {0,
         0,
         0,
         {0x2083cd07, 0x518b05c4, 0x4f26d091, 0xd36ab334, 0x38bcbcf8, 0x888c99a3, 0x7b1404a8}},
        {1234,
         77,
         5,
         {0xa216ec11, 0x0e73fb2a, 0xf83225df, 0xc68664eb, 0x2b510f15, 0x3bf08dd6, 0x38144318}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0x39759834, 0xa51f0be8, 0x46f6b1c9, 0x6554fc12, 0x3d5f2e8a, 0x2c5ce6db, 0x59ab92b9}}};
    const char *problem = NULL;
    for (const sequence &s : mrg)
        problem = problem ? problem : try_words<curandStateMRG32k3a_t>(s);
    for (const sequence &s : xorwow)
        problem = problem ? problem : try_words<curandStateXORWOW_t>(s);
    for (const sequence &s : philox)
        problem = problem ? problem : try_words<curandStatePhilox4_32_10_t>(s);
    return problem;
}

static __global__ void draw_sobol(curandDirectionVectors64_t *vectors, int *p) {
    curandStateSobol64_t s;
    curand_init(*vectors, 3 * threadIdx.x, &s);
    for (int i = 0; i < 3; i++)
        p[3 * threadIdx.x + i] = (int)(curand(&s) >> 32);
    skipahead(1000, &s);
    p[100 + threadIdx.x] = __float_as_int(curand_uniform(&s));
    const double next = curand_uniform_double(&s);
    p[200 + threadIdx.x] = next > 0 && next <= 1;
}
/* Header: curand_kernel.h; covers: Sobol's sequence: words, uniform; not: normal numbers of it,
 * scrambled ones. */
static const char *test_sobol() {
    enum { THREADS = 10 };
    curandDirectionVectors64_t vectors, *device;
    for (int bit = 0; bit < 64; bit++)
        vectors[bit] = 1ull << (63 - bit);
    OK(cudaMalloc(&device, sizeof vectors));
    OK(cudaMemcpy(device, vectors, sizeof vectors, cudaMemcpyHostToDevice));
    START();
    draw_sobol<<<1, THREADS>>>(device, device_words);
    FINISH();
    OK(cudaFree(device));
    /* With these vectors number i is its Gray code, its bits in reverse. */
    const auto number = [](unsigned i) {
        unsigned reversed = 0;
        for (int bit = 0; bit < 32; bit++)
            reversed |= ((i ^ i >> 1) >> bit & 1) << (31 - bit);
        return reversed;
    };
    for (unsigned i = 0; i < 3 * THREADS; i++)
        EXPECT((unsigned)words[i] == number(i));
    for (unsigned t = 0; t < THREADS; t++) {
        float uniform;
        memcpy(&uniform, &words[100 + t], sizeof uniform);
        EXPECT(fabs(uniform - number(3 * t + 1003) / 4294967296.0) < 1e-6);
        EXPECT(words[200 + t] == 1);
    }
    return NULL;
}

enum { DRAWS = 4096 };
template <class S>
static __global__ void draw_numbers(float *uniform, float *normal, float *log_normal) {
    S state;
    curand_init(7, threadIdx.x, 0, &state);
    for (int i = 0; i < DRAWS / 64; i++) {
        uniform[threadIdx.x * (DRAWS / 64) + i] = curand_uniform(&state);
        normal[threadIdx.x * (DRAWS / 64) + i] = curand_normal(&state);
        log_normal[threadIdx.x * (DRAWS / 64) + i] = curand_log_normal(&state, 1, 2);
    }
}
/* Means and variances within five standard deviations of what they should be. */
template <class S> static const char *try_numbers() {
    static float host[3][DRAWS], *p;
    OK(cudaMalloc(&p, sizeof host));
    draw_numbers<S><<<1, 64>>>(p, p + DRAWS, p + 2 * DRAWS);
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < DRAWS; i++) {
            const double x = k < 2 ? host[k][i] : (log((double)host[k][i]) - 1) / 2;
            sum[k] += x;
            squares[k] += x * x;
            EXPECT(k > 0 || (host[k][i] > 0 && host[k][i] <= 1));
        }
    EXPECT(fabs(sum[0] / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
    EXPECT(fabs(squares[0] / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
    for (int k = 1; k < 3; k++) {
        EXPECT(fabs(sum[k] / DRAWS) < 5 * sqrt(1.0 / DRAWS));
        EXPECT(fabs(squares[k] / DRAWS - 1) < 5 * sqrt(2.0 / DRAWS));
    }
    return NULL;
}
/* Header: curand_kernel.h; covers: uniform, normal, log-normal. */
static const char *test_numbers() {
    const char *problem = try_numbers<curandStateXORWOW_t>();
    problem = problem ? problem : try_numbers<curandStateMRG32k3a_t>();
    return problem ? problem : try_numbers<curandStatePhilox4_32_10_t>();
}

static __device__ cuda::atomic<int, cuda::thread_scope_device> counter;
static __global__ void count(int *p) {
    cuda::atomic_ref<int, cuda::thread_scope_device> largest(p[1]), bits(p[2]);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        p[3] = 1;
    counter.fetch_add(1, cuda::memory_order_relaxed);
    largest.fetch_max((int)threadIdx.x);
    bits |= 1 << threadIdx.x % 8;
    int expected = 5;
    cuda::atomic_ref<int> swapped(p[4]);
    if (threadIdx.x == 3 && blockIdx.x == 0 && !swapped.compare_exchange_strong(expected, 9))
        p[5] = expected + 77;
}
static __global__ void tell(int *p) { p[0] = counter.exchange(0); }
/* Header: cuda/atomic; covers: `atomic`, `atomic_ref`; not: `wait`, `notify`. */
static const char *test_atomics() {
    START();
    count<<<3, 64>>>(device_words);
    tell<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(words[0] == 192 && words[1] == 63 && words[2] == 255 && words[4] == 0 && words[5] == 77);
    return NULL;
}

static __global__ void by_barrier(int *p) {
    typedef cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ barrier b;
    __shared__ int room[128];
    const int x = (int)threadIdx.x;
    if (x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cooperative_groups::this_thread_block(), room, p, sizeof room, b);
    b.arrive_and_wait();
    const int next = room[(x + 1) % 128];
    b.arrive_and_wait();
    room[x] = next;
    barrier::arrival_token token = b.arrive();
    b.wait(std::move(token));
    p[1000 + x] = room[127 - x];
}
/* Header: cuda/barrier; covers: barriers of a block; not: `wait_parity`. */
static const char *test_barrier() {
    START();
    for (int i = 0; i < 128; i++)
        words[i] = 3 * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    by_barrier<<<1, 128>>>(device_words);
    FINISH();
    for (int x = 0; x < 128; x++)
        EXPECT(words[1000 + x] == 3 * ((128 - x) % 128));
    return NULL;
}

/* Two stages: while a tile is summed, the next one is on its way. */
static __global__ void by_pipeline(int *p, int tiles) {
    __shared__ int room[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> shared;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &shared);
    int sum = 0;
    for (int next = 0, tile = 0; tile < tiles; tile++) {
        for (; next < tiles && next < tile + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, room[next % 2], p + 64 * next, sizeof room[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += room[tile % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    p[2000 + threadIdx.x] = sum;
    auto own = cuda::make_pipeline(); /* a thread's */
    own.producer_acquire();
    cuda::memcpy_async(&room[0][threadIdx.x], p + 3 * threadIdx.x, sizeof(int), own);
    own.producer_commit();
    own.consumer_wait();
    p[3000 + threadIdx.x] = room[0][threadIdx.x] + 1;
    own.consumer_release();
}
/* Header: cuda/pipeline; covers: pipelines of a block and of a thread. */
static const char *test_pipeline() {
    START();
    for (int i = 0; i < 640; i++)
        words[i] = i * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    by_pipeline<<<1, 64>>>(device_words, 10);
    FINISH();
    for (int x = 0; x < 64; x++) {
        int sum = 0;
        for (int tile = 0; tile < 10; tile++)
            sum += (64 * tile + 63 - x) * (64 * tile + 63 - x);
        EXPECT(words[2000 + x] == sum && words[3000 + x] == 9 * x * x + 1);
    }
    return NULL;
}

static __global__ void twice(int *p) { p[threadIdx.x] *= 2; }
static __global__ void add(int *p, const int *q, int value) { p[threadIdx.x] += q[0] + value; }
/* A copy, then two kernels in two streams, joined by a third; done three times, with what the
 * host's memory holds then.
 * Header: cuda_runtime.h; covers: graphs captured from streams; not: nodes of events, conditional
 * nodes. */
static const char *test_graph() {
    int *pinned;
    cudaStream_t stream, other;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCaptureStatus status;
    size_t nodes = 0;
    OK(cudaMallocHost((void **)&pinned, 256));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&other));
    OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    START();
    OK(cudaDeviceSynchronize());
    EXPECT_CODE(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
                cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(device_words, pinned, 256, cudaMemcpyHostToDevice, stream));
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(other, fork, 0));
    twice<<<1, 32, 0, stream>>>(device_words);
    twice<<<1, 32, 0, other>>>(device_words + 32);
    OK(cudaEventRecord(join, other));
    OK(cudaStreamWaitEvent(stream, join, 0));
    add<<<1, 32, 0, stream>>>(device_words + 64, device_words + 32, 1);
    OK(cudaStreamIsCapturing(other, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaStreamIsCapturing(other, &status));
    EXPECT(status == cudaStreamCaptureStatusNone);
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 4); /* events are edges */
    OK(cudaGraphInstantiate(&executable, graph, 0));
    OK(cudaGraphDestroy(graph));
    for (int i = 0; i < 64; i++)
        pinned[i] = 100 + i;
    for (int round = 0; round < 3; round++) {
        OK(cudaGraphLaunch(executable, stream));
        OK(cudaStreamSynchronize(stream));
        pinned[32]++;
    }
    OK(cudaGraphExecDestroy(executable));
    FINISH();
    for (int i = 0; i < 32; i++) {
        EXPECT(words[i] == 200 + 2 * i);
        EXPECT(words[64 + i] == 3 + 2 * (132 + 133 + 134));
    }
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(stream));
    OK(cudaStreamDestroy(other));
    OK(cudaFreeHost(pinned));
    return NULL;
}

#if CUDART_VERSION >= 13000
#define NO_DATA_AND(last) NULL, last /* of the edges */
#else
#define NO_DATA_AND(last) last
#endif
template <class T> static __global__ void scale(T *p, T factor, const T *addend) {
    p[threadIdx.x] = p[threadIdx.x] * factor + *addend;
}
static void note(void *data) { ++*(int *)data; }
/* Words 0 to 31 are copied from the host, 32 to 63 filled, both scaled, and the first one comes
 * back. The copy is added last and linked to the kernel then.
 * Header: cuda_runtime.h; covers: graphs built of nodes (kernels, copies, fillings, host functions,
 * graphs), clones, updates, other parameters. */
static const char *test_graph_of_nodes() {
    int from[32], back = 0, noted = 0, factor = 3;
    for (int i = 0; i < 32; i++)
        from[i] = i;
    START();
    cudaGraph_t graph, copied;
    cudaGraphNode_t copy, filling, kernel, host, home, listed[9];
    OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {};
    fill.dst = device_words + 32;
    fill.value = 7;
    fill.elementSize = 4;
    fill.width = 32;
    fill.height = 1;
    OK(cudaGraphAddMemsetNode(&filling, graph, NULL, 0, &fill));
    int *p = device_words;
    const int *addend = device_words + 32;
    void *arguments[] = {&p, &factor, &addend};
    cudaKernelNodeParams launch = {};
    launch.func = (void *)scale<int>;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(32);
    launch.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&kernel, graph, &filling, 1, &launch));
    factor = 1000; /* the node has its own arguments */
    cudaMemcpy3DParms lines = {};
    lines.srcPtr = make_cudaPitchedPtr(from, sizeof from, 32, 1);
    lines.dstPtr = make_cudaPitchedPtr(device_words, sizeof from, 32, 1);
    lines.extent = make_cudaExtent(sizeof from, 1, 1);
    lines.kind = cudaMemcpyHostToDevice;
    OK(cudaGraphAddMemcpyNode(&copy, graph, NULL, 0, &lines));
    OK(cudaGraphAddDependencies(graph, &copy, &kernel, NO_DATA_AND(1)));
    OK(cudaGraphAddMemcpyNode1D(&home, graph, &kernel, 1, &back, device_words + 5, sizeof back,
                                cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {note, &noted};
    OK(cudaGraphAddHostNode(&host, graph, &home, 1, &call));
    size_t count = 9, edges = 0;
    OK(cudaGraphGetNodes(graph, listed, &count));
    EXPECT(count == 5 && listed[0] == filling && listed[2] == copy);
    OK(cudaGraphGetRootNodes(graph, NULL, &count));
    OK(cudaGraphGetEdges(graph, NULL, NULL, NO_DATA_AND(&edges)));
    EXPECT(count == 2 && edges == 4);
#ifdef __CUDACPU__ /* which takes the calls of before CUDA 13 too */
    OK(cudaGraphAddDependencies(graph, &filling, &home, 1));
    OK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    EXPECT(edges == 5);
    OK(cudaGraphRemoveDependencies(graph, &filling, &home, 1));
#endif
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(copy, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);

    cudaGraphExec_t executable, other;
    OK(cudaGraphInstantiate(&executable, graph, NULL, NULL, 0)); /* as before CUDA 12 */
    for (int round = 1; round <= 2; round++) {
        OK(cudaGraphLaunch(executable, 0));
        OK(cudaDeviceSynchronize());
        EXPECT(back == 3 * 5 + 7 && noted == round);
    }
    OK(cudaGraphClone(&copied, graph));
    cudaKernelNodeParams changed;
    OK(cudaGraphKernelNodeGetParams(kernel, &changed));
    EXPECT(*(int *)changed.kernelParams[1] == 3 && changed.blockDim.x == 32);
    changed.kernelParams[1] = &factor;
    OK(cudaGraphExecKernelNodeSetParams(executable, kernel, &changed));
    OK(cudaGraphLaunch(executable, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(back == 5007);
    factor = -1;
    OK(cudaGraphKernelNodeSetParams(kernel, &changed));
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(executable, graph, &info));
    OK(cudaGraphLaunch(executable, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(back == 2 && info.result == cudaGraphExecUpdateSuccess);

    cudaGraphNode_t child, empty; /* the clone, twice, in a graph */
    cudaGraph_t outer;
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, copied));
    OK(cudaGraphAddEmptyNode(&empty, outer, &child, 1));
    OK(cudaGraphAddChildGraphNode(&child, outer, &empty, 1, copied));
    OK(cudaGraphInstantiate(&other, outer, 0));
    OK(cudaGraphLaunch(other, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(back == 22 && noted == 6);
    EXPECT_CODE(cudaGraphExecUpdate(executable, outer, &info), cudaErrorGraphExecUpdateFailure);
    EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT_CODE(cudaGraphAddEmptyNode(&empty, graph, &child, 1), cudaErrorInvalidValue);
    OK(cudaGraphAddDependencies(graph, &host, &filling, NO_DATA_AND(1))); /* a circle */
    cudaGraphExec_t none;
    EXPECT_CODE(cudaGraphInstantiate(&none, graph, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphDestroyNode(home));
    OK(cudaGraphInstantiate(&none, graph, 0)); /* without it there is none */
    for (cudaGraphExec_t made : {executable, other, none})
        OK(cudaGraphExecDestroy(made));
    for (cudaGraph_t made : {graph, copied, outer})
        OK(cudaGraphDestroy(made));
    FINISH();
    return NULL;
}

/* Made before main(). */
static const void *const kernels[] = {(const void *)twice, reinterpret_cast<void *>(&scale<int>)};
/* Header: cuda_runtime.h; covers: `cudaLaunchKernel` of a `void *` made from a kernel's name, or
 * from a pointer to a kernel. */
static const char *test_pointed_kernel() {
    START();
    int *p = device_words, factor = 5;
    const int *addend = device_words + 40;
    void *arguments[] = {&p, &factor, &addend};
    int *add = device_words; /* a kernel's name, too */
    OK(cudaMemset((void *)add, 1, 4));
    OK(cudaLaunchKernel(kernels[0], dim3(1), dim3(1), arguments, 0, 0));
    OK(cudaLaunchKernel(kernels[1], dim3(1), dim3(1), arguments));
    void (*const pointer)(int *) = twice;
    const void *const copied = (const void *)pointer;
    OK(cudaLaunchKernel(copied, dim3(1), dim3(1), arguments));
    FINISH();
    EXPECT(words[0] == 0x14141414);
    return NULL;
}

extern "C" const conformance_case library_features[] = {
    {"sequences of random words", test_words},
    {"Sobol's sequence", test_sobol},
    {"uniform and normal numbers", test_numbers},
    {"cuda::atomic", test_atomics},
    {"cuda::barrier", test_barrier},
    {"cuda::pipeline", test_pipeline},
    {"graphs", test_graph},
    {"graphs of nodes", test_graph_of_nodes},
    {"kernels by a pointer", test_pointed_kernel},
    {NULL, NULL}};
