/* graph_api.h - the part of the runtime API that is about graphs: those that are captured from
 * streams, and those built of nodes. A launch does them in an order that their edges allow.
 * more_api.h includes it; graph_overloads.h has the signatures of other versions of CUDA.
 */
#ifndef CUDACPU_GRAPH_API_H
#define CUDACPU_GRAPH_API_H
#include "memory_pool_api.h"

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
enum { cudaGraphDebugDotFlagsVerbose = 1 };

/* func is (void *)name in a .cu file; kernelParams points to each argument, extra is NULL. */
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams;
    void **extra;
};
/* height rows of width elements of 1, 2 or 4 bytes */
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/* The calls that add a node of a kind, set what it does, and set it in an executable: node is one
 * of the graph that this was made of. */
#define CUDACPU_NODE(add, set, set_executable, params_type)                                        \
    cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,        \
                    size_t count, const struct params_type *params);                               \
    cudaError_t set(cudaGraphNode_t node, const struct params_type *params);                       \
    cudaError_t set_executable(cudaGraphExec_t executable, cudaGraphNode_t node,                   \
                               const struct params_type *params);
CUDACPU_NODE(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
             cudaKernelNodeParams)
CUDACPU_NODE(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
             cudaMemcpy3DParms)
CUDACPU_NODE(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
             cudaMemsetParams)
CUDACPU_NODE(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
             cudaHostNodeParams)
#undef CUDACPU_NODE
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *dst,
                                     const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/* What a node that was added, not captured, does. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
/* Up to *count of them, or with NULL how many there are. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
/* The clone's node that was made of this one. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone);
/* Nodes and edges in the language of Graphviz. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *file, unsigned flags);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags CUDACPU_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags CUDACPU_DEFAULT(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info);
/* node is one of the graph that the executable was made of. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind);

/* A graph's memory: the node's parameters say where it is. */
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr;
};
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer);

#endif
