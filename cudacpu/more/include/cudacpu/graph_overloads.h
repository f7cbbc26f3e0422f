/* graph_overloads.h - functions about graphs whose parameters are others in other versions of CUDA:
 * C++ takes them all. */
#ifndef CUDACPU_GRAPH_OVERLOADS_H
#define CUDACPU_GRAPH_OVERLOADS_H
#include "cuda_runtime_api.h"

struct cudaGraphEdgeData { /* CUDA 13: all zero, a full dependency */
    unsigned char from_port, to_port, type, reserved[5];
};

namespace cudacpu {
cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                      size_t count);
cudaError_t remove_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t count);
cudaError_t list_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                       size_t *count);
/* The nodes right before or after a node. */
cudaError_t list_neighbours(cudaGraphNode_t node, bool before, cudaGraphNode_t *nodes,
                            size_t *count, cudaGraphEdgeData *edges = nullptr);
} // namespace cudacpu

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               cudaGraphNode_t *failed, char *log, size_t bytes) {
    if (failed)
        *failed = nullptr;
    if (log && bytes)
        *log = 0;
    return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                              cudaGraphNode_t *failed,
                                              cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
    if (failed)
        *failed = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count) {
    return ::cudacpu::add_edges(graph, from, to, count);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *, size_t count) {
    return ::cudacpu::add_edges(graph, from, to, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t count) {
    return ::cudacpu::remove_edges(graph, from, to, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, size_t *count) {
    return ::cudacpu::list_edges(graph, from, to, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, cudaGraphEdgeData *,
                                            size_t *count) {
    return ::cudacpu::list_edges(graph, from, to, count);
}
#define CUDACPU_NEIGHBOURS(name, before)                                                           \
    static inline cudaError_t name(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {  \
        return ::cudacpu::list_neighbours(node, before, nodes, count);                             \
    }                                                                                              \
    static inline cudaError_t name(cudaGraphNode_t node, cudaGraphNode_t *nodes,                   \
                                   cudaGraphEdgeData *edges, size_t *count) {                      \
        return ::cudacpu::list_neighbours(node, before, nodes, count, edges);                      \
    }
CUDACPU_NEIGHBOURS(cudaGraphNodeGetDependencies, true)
CUDACPU_NEIGHBOURS(cudaGraphNodeGetDependentNodes, false)
#undef CUDACPU_NEIGHBOURS
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   cudaStreamCaptureStatus *status,
                                                   unsigned long long *number = nullptr) {
    if (number)
        *number = (unsigned long long)(size_t)stream;
    return cudaStreamIsCapturing(stream, status);
}

/* To and from a __device__ or __constant__ variable. */
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *after, size_t count,
                                           const T &symbol, const void *src, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
    void *address;
    if (const cudaError_t error = cudaGetSymbolAddress(&address, symbol))
        return error;
    return cudaGraphAddMemcpyNode1D(node, graph, after, count, (char *)address + offset, src, bytes,
                                    kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *after, size_t count, void *dst,
                                             const T &symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
    void *address;
    if (const cudaError_t error = cudaGetSymbolAddress(&address, symbol))
        return error;
    return cudaGraphAddMemcpyNode1D(node, graph, after, count, dst, (char *)address + offset, bytes,
                                    kind);
}
#endif
