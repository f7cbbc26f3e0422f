/* graphs.cpp - a graph is the list of the operations that its streams were given while they were
 * captured, in that order; a launch gives them all to one stream. */
#include "graphs.h"
#include "errors.h"
#include "lock.h"
#include <atomic>
#include <map>
#include <set>

struct CUgraph_st {
    std::vector<cudacpu::stream_operation> operations;
};
struct CUgraphExec_st {
    std::vector<cudacpu::stream_operation> operations;
};

namespace cudacpu {
namespace {

struct captures {
    std::map<const CUstream_st *, CUgraph_st *> streams;
    std::map<const void *, CUgraph_st *> events;
    std::set<const CUstream_st *> origins; /* where the capture was begun, and is to end */
    std::set<CUgraph_st *> graphs;
    std::set<CUgraphExec_st *> executables;
};
captures &all = *new captures();
std::atomic<size_t> captured; /* streams: asked without the lock */

template <class Map> void forget_graph(Map *map, const CUgraph_st *graph) {
    for (auto at = map->begin(); at != map->end();)
        at = at->second == graph ? map->erase(at) : std::next(at);
}

} // namespace

bool any_capture() { return captured > 0; }

bool is_captured(const CUstream_st *stream) {
    runtime_guard guard;
    return all.streams.count(stream);
}

bool capture(CUstream_st *stream, stream_operation &o) {
    const auto at = all.streams.find(stream);
    if (at == all.streams.end())
        return false;
    at->second->operations.push_back(std::move(o));
    return true;
}

void note_captured_event(const void *event, const CUstream_st *stream) {
    runtime_guard guard;
    const auto at = all.streams.find(stream);
    if (at != all.streams.end())
        all.events[event] = at->second;
    else
        all.events.erase(event);
}

void join_capture(CUstream_st *stream, const void *event) {
    runtime_guard guard;
    const auto at = all.events.find(event);
    if (at != all.events.end())
        all.streams.emplace(stream, at->second);
    captured = all.streams.size();
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    runtime_guard guard;
    const CUstream_st *stream = find_stream(handle);
    if (!stream)
        return remember_error(cudaErrorInvalidResourceHandle);
    if (stream->number == LEGACY_STREAM)
        return remember_error(cudaErrorStreamCaptureUnsupported);
    if (all.streams.count(stream) || mode > cudaStreamCaptureModeRelaxed)
        return remember_error(cudaErrorInvalidValue);
    CUgraph_st *graph = new CUgraph_st();
    all.graphs.insert(graph);
    all.streams[stream] = graph;
    all.origins.insert(stream);
    captured = all.streams.size();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
    runtime_guard guard;
    const CUstream_st *stream = find_stream(handle);
    if (!stream || !graph)
        return remember_error(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!all.origins.erase(stream))
        return remember_error(cudaErrorInvalidValue);
    *graph = all.streams[stream];
    forget_graph(&all.streams, *graph);
    captured = all.streams.size();
    forget_graph(&all.events, *graph);
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus *status) {
    const CUstream_st *stream = find_stream(handle);
    if (!stream || !status)
        return remember_error(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = is_captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long) {
    runtime_guard guard;
    if (!executable || !all.graphs.count(graph))
        return remember_error(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{graph->operations};
    all.executables.insert(*executable);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle) {
    runtime_guard guard;
    if (sticky_error())
        return remember_error(sticky_error());
    if (!all.executables.count(executable))
        return remember_error(cudaErrorInvalidValue);
    CUstream_st *stream = find_stream(handle);
    if (!stream)
        return remember_error(cudaErrorInvalidResourceHandle);
    for (const stream_operation &o : executable->operations)
        issue(stream, stream_operation(o));
    return remember_error(sticky_error());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    runtime_guard guard;
    if (!all.executables.erase(executable))
        return remember_error(cudaErrorInvalidValue);
    delete executable;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    runtime_guard guard;
    if (!all.graphs.erase(graph))
        return remember_error(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    runtime_guard guard;
    if (nodes || !count || !all.graphs.count(graph))
        return remember_error(cudaErrorInvalidValue);
    *count = graph->operations.size();
    return cudaSuccess;
}

} /* extern "C" */
