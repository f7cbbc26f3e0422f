/* features_newer.cu - what CUDA 11 to 13 brought and programs use now and then: functions of
 * clusters, saturating halfwords, pairs, vector types with their alignment, questions to streams
 * and graphs. */
#include "device_words.h"
#include <cuda_fp16.h>

static __global__ void newer(int *p, unsigned a, unsigned b, long long n, const float *four) {
    p[0] = (int)__vabsss2(a);      /* of 0x8000 and 0xfff0 */
    p[1] = (int)__vnegss4(a);      /* of 0x80, 0x00, 0xff, 0xf0 */
    p[2] = (int)__vsads2(a, b);    /* from 0x0001 and 0x0010: 32769 + 32 */
    p[3] = (int)__vsetges2(a, b);  /* -32768 >= 1, -16 >= 16 */
    p[4] = (int)__vsetleu4(a, b);  /* 0x80 <= 0, 0 <= 1, 0xff <= 0, 0xf0 <= 0x10 */
    p[5] = (int)__vabsss4(a & ~1); /* of 0x80, 0x00, 0xff, 0xf0 */
    /* n is 2^62 + 1, between two floats and two doubles */
    p[6] = __ll2float_rd(n) == 0x1p62f && __ll2float_ru(n) == nextafterf(0x1p62f, 1e30f);
    p[7] = __ll2double_rz(-n) == -0x1p62 && __ll2double_rd(-n) == -nextafter(0x1p62, 1e30);
    p[8] = __ull2float_rz(~0ull) == 0x1.fffffep63f && __ull2double_ru(~0ull) == 0x1p64;
    p[9] = rnormf(4, four) == 0.1f && fdivide(3.0, 2.0) == 1.5;
    const float2 sum = make_float2(__fmaf_ieee_rn(1, 2, 3), __fmaf_ieee_ru(1, 1, 0x1p-40f));
    p[10] = sum.x == 5 && sum.y == 1 + 0x1p-23f;
    const half2 x = __floats2half2_rn(1, 2), y = __floats2half2_rn(3, -1);
    const float2 z = __half22float2(__hcmadd(x, y, __floats2half2_rn(0.5f, 0.25f)));
    p[11] = z.x == 5.5f && z.y == 5.25f; /* (1 + 2i) (3 - i) = 5 + 5i */
    const double4_32a wide = make_double4_32a(1, 2, 3, 4);
    p[12] = sizeof wide == 32 && alignof(double4_32a) == 32 && alignof(longlong4_16a) == 16 &&
            (int)wide.w == 4;
    __shared__ int shared[64];
    p[13] = __cvta_global_to_generic(__cvta_generic_to_global(p)) == p && __isShared(shared);
}
static __global__ void votes(int *p) {
    __shared__ int values[128];
    const int i = (int)threadIdx.x;
    const int all = __uni_sync(0xffffffff, i % 32 >= 0), some = __uni_sync(0xffffffff, i % 32 > 3);
    values[i] = i;
    __barrier_sync_count(1 + i / 64, 64); /* each half of the block has a barrier */
    p[i] = values[i ^ 32] * 4 + all * 2 + some;
    __threadfence_cluster();
    __barrier_sync(0);
}
/* Header: cuda_runtime.h; covers: saturating packed integers (`__vabsss2`, `__vnegss4`), 64-bit
 * integers to floats with directed rounding (`__ll2float_rd`), `rnormf`, vector types with their
 * alignment (`double4_32a`), barriers of a block by number (`__barrier_sync_count`), `__uni_sync`.
 */
static const char *test_newer() {
    static const int expected[14] = {0x7fff0010, 0x7f000110, 32801, 0, 0x00010000, 0x7f000110, 1,
                                     1,          1,          1,     1, 1,          1,          1};
    const float host[4] = {1, 1, 7, 7}; /* their norm is 10 */
    START();
    float *four = (float *)(device_words + 1000);
    OK(cudaMemcpy(four, host, sizeof host, cudaMemcpyHostToDevice));
    newer<<<1, 1>>>(device_words, 0x8000fff0, 0x00010010, (1ll << 62) + 1, four);
    votes<<<1, 128>>>(device_words + 100);
    FINISH();
    for (int i = 0; i < 14; i++)
        EXPECT(words[i] == expected[i]);
    for (int i = 0; i < 128; i++)
        EXPECT(words[100 + i] == (i ^ 32) * 4 + 2);
    return NULL;
}

/* Blocks of a grid of 4 x 2 in clusters of 2 x 1. */
static __global__ void in_clusters(int *p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ unsigned mine;
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, rank = __clusterRelativeBlockRank();
    mine = 10 + block;
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    const unsigned theirs = *(unsigned *)__cluster_map_shared_rank(&mine, rank ^ 1);
    const unsigned place = __clusterIdx().y * 1000 + __clusterIdx().x * 100;
    p[block] = (int)(place + theirs);
    p[8 + block] = __clusterDim().x == 2 && __clusterSizeInBlocks() == 2 &&
                   __clusterRelativeBlockIdx().x == rank && __clusterGridDimInClusters().x == 2 &&
                   __clusterDimIsSpecified();
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
#else
    p[threadIdx.x] = -1; /* compiled for a device without clusters */
#endif
}
/* Header: cuda_runtime.h; covers: functions of clusters (`__clusterIdx`, `__cluster_barrier_wait`,
 * `__cluster_map_shared_rank`). */
static const char *test_in_clusters() {
    int has_clusters = 0;
    OK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    if (!has_clusters)
        return NULL;
    cudaLaunchAttribute pairs;
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim.x = 2;
    pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4, 2);
    config.blockDim = dim3(1);
    config.attrs = &pairs;
    config.numAttrs = 1;
    START();
    OK(cudaLaunchKernelEx(&config, in_clusters, device_words));
    FINISH();
    for (int i = 0; i < 8 && words[0] != -1; i++) {
        EXPECT(words[i] == i / 4 * 1000 + i % 4 / 2 * 100 + 10 + (i ^ 1));
        EXPECT(words[8 + i] == 1);
    }
    return NULL;
}

static __device__ int variable[4];
/* Header: cuda_runtime.h; covers: `cudaStreamGetId`, `cudaStreamGetDevice`, the nodes before and
 * after a graph's node (`cudaGraphNodeGetDependencies`), copies to and from variables as nodes. */
static const char *test_questions() {
    cudaStream_t one, two;
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreate(&two));
    unsigned long long first, second, none;
    int device = -1;
    OK(cudaStreamGetId(one, &first));
    OK(cudaStreamGetId(two, &second));
    OK(cudaStreamGetId(0, &none));
    EXPECT(first != second && first != none && second != none);
    OK(cudaStreamGetDevice(two, &device));
    EXPECT(device == 0);
    OK(cudaStreamCopyAttributes(two, one));

    START();
    const int host[4] = {1, 2, 3, 4};
    cudaGraph_t graph, copy;
    cudaGraphNode_t begin, to, from, found;
    size_t count = 0;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEmptyNode(&begin, graph, NULL, 0));
    OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &begin, 1, variable, host, 3 * sizeof *host,
                                      sizeof *host, cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, device_words, variable, sizeof host,
                                        0, cudaMemcpyDeviceToDevice));
#if CUDART_VERSION >= 13000
    OK(cudaGraphNodeGetDependencies(from, NULL, NULL, &count));
    EXPECT(count == 1);
    OK(cudaGraphNodeGetDependencies(from, &found, NULL, &count));
    EXPECT(count == 1 && found == to);
    OK(cudaGraphNodeGetDependentNodes(begin, &found, NULL, &count));
#else
    OK(cudaGraphNodeGetDependencies(from, NULL, &count));
    EXPECT(count == 1);
    OK(cudaGraphNodeGetDependencies(from, &found, &count));
    EXPECT(count == 1 && found == to);
    OK(cudaGraphNodeGetDependentNodes(begin, &found, &count));
#endif
    EXPECT(count == 1 && found == to);
    OK(cudaGraphClone(&copy, graph));
    OK(cudaGraphNodeFindInClone(&found, to, copy));
    EXPECT(found != to);
    EXPECT_CODE(cudaGraphNodeFindInClone(&found, to, graph), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    cudaGraphExec_t executable;
    OK(cudaGraphInstantiate(&executable, copy, 0));
    OK(cudaGraphLaunch(executable, one));
    OK(cudaStreamSynchronize(one));
    OK(cudaGraphExecDestroy(executable));
    OK(cudaGraphDestroy(copy));
    OK(cudaGraphDestroy(graph));
    FINISH();
    EXPECT(words[0] == 0 && words[1] == 1 && words[3] == 3);
    OK(cudaStreamDestroy(one));
    OK(cudaStreamDestroy(two));
    return NULL;
}

extern "C" const conformance_case newer_features[] = {{"newer functions", test_newer},
                                                      {"functions of clusters", test_in_clusters},
                                                      {"questions", test_questions},
                                                      {NULL, NULL}};
