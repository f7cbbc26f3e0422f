/* features_memory.cu - shared memory, static and dynamic, copies into it, and constants. */
#include "device_words.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <signal.h>
#include <thread>
#include <time.h>

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

/* Dynamic shared memory at namespace scope is an array wherever it is named, and not where another
 * variable has its name. */
namespace dynamic {
extern __shared__ float one[];
__shared__ double extern two[];
extern __shared__ int rows[][4];
} // namespace dynamic
using namespace dynamic;
template <class T> static __device__ T first_of(T *p) { return p[0]; }
template <int N> struct element {
    static __device__ float get() { return one[N]; }
};
struct has_one {
    float one[2];
    __device__ int get() { return (int)one[1]; }
};
static __device__ int of_parameter(const float *one) { return (int)one[0]; }
static __global__ void named_arrays(int *p) {
    int *cast = reinterpret_cast<int *>(one);
    float4 *vector = (float4 *)&one[4];
    cast[0] = 5;
    p[0] = cast[0];
    one[0] = 6;
    p[1] = (int)first_of(one);
    *vector = make_float4(1, 2, 3, 4);
    p[2] = (int)element<7>::get();
    dynamic::two[1] = 7;
    const auto from_lambda = [] { return two[1]; };
    p[3] = (int)from_lambda();
    rows[1][1] = 8;
    p[4] = dynamic::rows[1][1];
    auto &all = one;
    *one = 9;
    p[5] = (int)all[0] + (one + 1 == &one[1]);
    has_one other = {{3, 4}};
    p[6] = other.get() + (int)other.one[0] + of_parameter(other.one);
}
static const char *test_named_arrays() {
    START();
    named_arrays<<<1, 1, 128>>>(device_words);
    FINISH();
    const int expected[] = {5, 6, 4, 7, 8, 10, 10};
    for (int i = 0; i < 7; i++)
        EXPECT(words[i] == expected[i]);
    return NULL;
}

/* Arrays of small elements, of which programs read 16 bytes at once: each begins at such a
 * multiple. */
template <typename T, int N> static __global__ void aligned_arrays(int *p) {
    __shared__ T of_type[N], second[N];
    static __shared__ unsigned short words_of_two[24];
    __shared__ volatile unsigned char bytes[16];
    __shared__ int2 pairs[2][3];
    const size_t at[] = {(size_t)of_type, (size_t)second, (size_t)words_of_two, (size_t)bytes,
                         (size_t)pairs};
    for (int i = 0; i < 5; i++)
        p[i] = (int)(at[i] % 16);
}
static const char *test_aligned_arrays() {
    START();
    aligned_arrays<char, 16><<<1, 1>>>(device_words);
    FINISH();
    for (int i = 0; i < 5; i++)
        EXPECT(words[i] == 0);
    return NULL;
}

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

static __global__ void square_all(const int *from, int *to) {
    to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x];
}
/* Squares come to `to`, by way of memory that the graph allocates, each time it is launched. */
static const char *check_launches(cudaGraph_t graph, int *from, const int *to, int *freed_later) {
    cudaGraphExec_t executable;
    cudaStream_t stream;
    OK(cudaGraphInstantiate(&executable, graph, 0));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamCreate(&stream));
    for (int launch = 0; launch < 3; launch++) {
        for (int i = 0; i < 32; i++)
            from[i] = i + launch;
        OK(cudaGraphLaunch(executable, stream));
        if (freed_later && launch == 1)
            OK(cudaFreeAsync(freed_later, stream));
        OK(cudaStreamSynchronize(stream));
        if (freed_later && launch != 1)
            OK(cudaFree(freed_later));
        for (int i = 0; i < 32; i++)
            EXPECT(to[i] == (i + launch) * (i + launch));
    }
    OK(cudaGraphExecDestroy(executable));
    OK(cudaStreamDestroy(stream));
    return NULL;
}
/* Header: cuda_runtime.h; covers: memory that a graph allocates, captured or by nodes
 * (`cudaGraphAddMemAllocNode`), freed by it or by the program; not: how much of it is in use. */
static const char *test_graph_memory() {
    int *from, *to, *first, *second;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphNodeType type;
    const size_t bytes = 32 * sizeof(int);
    OK(cudaMallocHost((void **)&from, bytes));
    OK(cudaMallocHost((void **)&to, bytes));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&first, bytes, stream));
    OK(cudaMallocAsync((void **)&second, bytes, stream));
    OK(cudaMemcpyAsync(first, from, bytes, cudaMemcpyHostToDevice, stream));
    square_all<<<1, 32, 0, stream>>>(first, second);
    OK(cudaFreeAsync(first, stream));
    OK(cudaMemcpyAsync(to, second, bytes, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(second, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphNode_t nodes[8];
    size_t count = 8;
    OK(cudaGraphGetNodes(graph, nodes, &count));
    OK(cudaGraphNodeGetType(nodes[0], &type));
    EXPECT(count == 7 && type == cudaGraphNodeTypeMemAlloc);
    if (const char *wrong = check_launches(graph, from, to, NULL))
        return wrong;

    cudaMemAllocNodeParams own = {};
    own.bytesize = bytes;
    own.poolProps.allocType = cudaMemAllocationTypePinned;
    own.poolProps.location.type = cudaMemLocationTypeDevice;
    cudaGraphNode_t allocation, other, down, kernel, up, last;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&allocation, graph, NULL, 0, &own));
    first = (int *)own.dptr;
    OK(cudaGraphAddMemAllocNode(&other, graph, &allocation, 1, &own));
    second = (int *)own.dptr;
    EXPECT(first && second && first != second);
    OK(cudaGraphAddMemcpyNode1D(&down, graph, &other, 1, first, from, bytes,
                                cudaMemcpyHostToDevice));
    void *arguments[] = {&first, &second};
    cudaKernelNodeParams launch = {};
    launch.func = (void *)square_all;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(32);
    launch.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&kernel, graph, &down, 1, &launch));
    OK(cudaGraphAddMemcpyNode1D(&up, graph, &kernel, 1, to, second, bytes, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemFreeNode(&last, graph, &kernel, 1, first));
    EXPECT(cudaGraphAddMemFreeNode(&last, graph, &kernel, 1, from) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphNodeGetType(last, &type));
    EXPECT(type == cudaGraphNodeTypeMemFree);
    if (const char *wrong = check_launches(graph, from, to, second))
        return wrong;
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeHost(from));
    OK(cudaFreeHost(to));
    return NULL;
}

/* Memory that no argument points to: each node holds the next one's address. */
struct node {
    node *next;
    int value;
};
enum { NODES = 2000 };
static __global__ void follow(const node *n, int *sum) {
    for (*sum = 0; n; n = n->next)
        *sum += n->value;
}
static __global__ void count_launch(int *count) { ++*count; }
static double count_seconds(int *count) { /* the shortest of several times ten launches */
    double least = 1;
    for (int i = 0; i < 20; i++) {
        timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int launch = 0; launch < 10; launch++)
            count_launch<<<1, 1>>>(count);
        cudaDeviceSynchronize();
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double seconds =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        if (seconds < least)
            least = seconds;
    }
    return least / 10;
}
static void on_fault(int) {}
static void block_signals_and_follow(const node *first) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    follow<<<1, 1>>>(first, device_words);
    cudaDeviceSynchronize();
}
static const char *test_list() {
    START();
    node *nodes[NODES + 1] = {}, *managed;
    OK(cudaMalloc(&nodes[0], sizeof(node)));
    const double few = count_seconds(device_words);
    for (int i = 1; i < NODES; i++)
        OK(cudaMalloc(&nodes[i], sizeof(node)));
    const double many = count_seconds(device_words);
    EXPECT(many < 20 * few + 60e-6);
    for (int i = 0; i < NODES; i++) {
        const node host = {nodes[i + 1], i};
        OK(cudaMemcpy(nodes[i], &host, sizeof host, cudaMemcpyHostToDevice));
    }
    int sum;
    for (int way = 0; way < 3; way++) {
        OK(cudaMemset(device_words, 0, sizeof sum));
        if (way == 0) {
            std::thread(block_signals_and_follow, nodes[0]).join();
        } else {
            if (way == 2) /* the program sees to faults itself */
                signal(SIGSEGV, on_fault);
            follow<<<1, 1>>>(nodes[0], device_words);
        }
        OK(cudaMemcpy(&sum, device_words, sizeof sum, cudaMemcpyDeviceToHost));
        EXPECT(sum == NODES * (NODES - 1) / 2);
    }
    OK(cudaMallocManaged(&managed, sizeof *managed));
    *managed = {nodes[NODES - 1], 1};
    follow<<<1, 1>>>(managed, device_words);
    OK(cudaMemcpy(&sum, device_words, sizeof sum, cudaMemcpyDeviceToHost));
    EXPECT(sum == NODES);
    OK(cudaFree(managed));
    for (int i = 0; i < NODES; i++)
        OK(cudaFree(nodes[i]));
    OK(cudaFree(device_words));
    return NULL;
}

/* Host threads leave nothing behind; what a driver keeps is its own business. */
#ifdef __CUDACPU__
static long resident_kb() {
    char line[256];
    long kb = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmRSS: %ld", &kb);
    fclose(status);
    return kb;
}
static __global__ void count_block(int *count) {
    __shared__ int ones[64];
    ones[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(count, ones[5]);
}
static __global__ void __cluster_dims__(2) count_cluster(int *count) {
    cooperative_groups::this_cluster().sync();
    if (threadIdx.x == 0)
        atomicAdd(count, 1);
}
static const char *test_host_threads() {
    enum { BEFORE = 20, ALL = 320 };
    long before = 0;
    START();
    for (int i = 0; i < ALL; i++) {
        if (i == BEFORE)
            before = resident_kb();
        std::thread([=] {
            if (i % 4)
                count_block<<<2, 64, 0, cudaStreamPerThread>>>(device_words);
            else
                count_cluster<<<2, 64, 0, cudaStreamPerThread>>>(device_words);
            cudaStreamSynchronize(cudaStreamPerThread);
        }).join();
    }
    /* an emulator's own memory, or freed memory, would be in it */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
    EXPECT(resident_kb() - before < 1500);
#endif
    FINISH();
    EXPECT(words[0] == 2 * ALL);
    return NULL;
}
#endif

extern "C" const conformance_case memory_features[] = {
#ifdef __CUDACPU__
    {"host threads", test_host_threads},
#endif
    {"memory behind pointers", test_list},
    {"graph memory", test_graph_memory},
    {"shared memory", test_shared},
    {"dynamic shared memory", test_dynamic_shared},
    {"asynchronous copies", test_copies},
    {"constants", test_constants},
    {"dynamic shared memory at namespace scope", test_named_arrays},
    {"aligned arrays", test_aligned_arrays},
    {NULL, NULL}};
