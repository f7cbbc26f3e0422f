/* features_graphs.cu - graphs, captured from streams and built of nodes. */
#include "device_words.h"

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

extern "C" const conformance_case graph_features[] = {
    {"graphs", test_graph}, {"graphs of nodes", test_graph_of_nodes}, {NULL, NULL}};
