/* graphs.cpp - graphs that are captured from streams, a node for each operation; and executables,
 * whose launch gives the operations of all nodes to one stream. */
#include "graphs.h"
#include "runtime/api/calls.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "thread_calls.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <set>

struct CUgraphExec_st {
    struct node {
        uint64_t number;
        cudaGraphNodeType type;
        std::vector<cudacpu::stream_operation> operations;
    };
    std::vector<node> nodes;
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
thread_local std::vector<stream_operation> *recording;

template <class Map> void forget_graph(Map *map, const CUgraph_st *graph) {
    for (auto at = map->begin(); at != map->end();)
        at = at->second == graph ? map->erase(at) : std::next(at);
}

/* After the ones that were captured before. */
void append_captured(CUgraph_st *graph, stream_operation &&o) {
    CUgraphNode_st *last = graph->nodes.empty() ? nullptr : graph->nodes.back().get();
    graph->nodes.emplace_back(new CUgraphNode_st());
    CUgraphNode_st *node = graph->nodes.back().get();
    node->number = next_node_number();
    const std::string name = o.is_kernel() ? "" : o.name;
    node->type = o.is_kernel()                            ? cudaGraphNodeTypeKernel
                 : name.compare(0, 10, "cudaMemcpy") == 0 ? cudaGraphNodeTypeMemcpy
                 : name.compare(0, 10, "cudaMemset") == 0 ? cudaGraphNodeTypeMemset
                 : name == "cudaLaunchHostFunc"           ? cudaGraphNodeTypeHost
                 : name == "cudaMallocAsync"              ? cudaGraphNodeTypeMemAlloc
                 : name == "cudaFreeAsync"                ? cudaGraphNodeTypeMemFree
                                                          : cudaGraphNodeTypeEmpty;
    if (last)
        node->after.push_back(last);
    node->operations.push_back(std::move(o));
}

CUgraphExec_st make_executable(const CUgraph_st *graph) {
    CUgraphExec_st made;
    for (const CUgraphNode_st *node : sort_nodes(graph))
        made.nodes.push_back({node->number, node->type, node->operations});
    return made;
}

bool any_capture() { return captured > 0 || recording; }

bool is_being_captured(const CUstream_st *stream) {
    runtime_guard guard;
    return recording || all.streams.count(stream);
}

bool capture(CUstream_st *stream, stream_operation &o) {
    if (recording) {
        recording->push_back(std::move(o));
        return true;
    }
    const auto at = all.streams.find(stream);
    if (at == all.streams.end())
        return false;
    if (strcmp(o.name, "cudaEventRecord") != 0) /* an edge, no node */
        append_captured(at->second, std::move(o));
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

/* A graph's own memory stays: to allocate and to free it are operations without effect. It has the
 * same addresses in every launch, until the program ends, with what it held: neither a use after
 * its node that frees it nor one before the next launch is found. */
cudaError_t issue_nothing(const char *name, CUstream_st *stream, void *caller) {
    stream_operation o = make_operation(name, caller);
    o.perform = [](const stream_operation &) {};
    issue(stream, std::move(o));
    return cudaSuccess;
}
cudaError_t allocate_in_graph(allocation *a, CUstream_st *stream, void *caller) {
    a->of_graph = true;
    return issue_nothing("cudaMallocAsync", stream, caller);
}
cudaError_t free_in_graph(CUstream_st *stream, void *caller) {
    return issue_nothing("cudaFreeAsync", stream, caller);
}

const stream_capture HOOKS = {any_capture,         capture,      is_being_captured,
                              note_captured_event, join_capture, allocate_in_graph,
                              free_in_graph};
const bool registered = (capturing = &HOOKS, true);

} // namespace

recording_scope::recording_scope(std::vector<stream_operation> *operations) {
    recording = operations;
}
recording_scope::~recording_scope() { recording = nullptr; }

bool is_graph(const CUgraph_st *graph) {
    runtime_guard guard;
    return all.graphs.count(const_cast<CUgraph_st *>(graph));
}
CUgraph_st *keep_graph(CUgraph_st *graph) {
    runtime_guard guard;
    all.graphs.insert(graph);
    return graph;
}
CUgraph_st *find_graph_of(const CUgraphNode_st *node) {
    for (CUgraph_st *graph : all.graphs)
        for (const auto &own : graph->nodes)
            if (own.get() == node)
                return graph;
    return nullptr;
}
uint64_t next_node_number() {
    static std::atomic<uint64_t> made;
    return ++made;
}

std::vector<CUgraphNode_st *> sort_nodes(const CUgraph_st *graph) {
    std::vector<CUgraphNode_st *> sorted;
    std::set<const CUgraphNode_st *> placed;
    for (bool any = true; any;) {
        any = false;
        for (const auto &node : graph->nodes) {
            const auto is_placed = [&](const CUgraphNode_st *n) { return placed.count(n) > 0; };
            if (is_placed(node.get()) ||
                !std::all_of(node->after.begin(), node->after.end(), is_placed))
                continue;
            sorted.push_back(node.get());
            placed.insert(node.get());
            any = true;
        }
    }
    return sorted;
}

std::vector<stream_operation> *find_executable_node(CUgraphExec_st *executable, uint64_t number) {
    if (!all.executables.count(executable))
        return nullptr;
    for (auto &node : executable->nodes)
        if (node.number == number)
            return &node.operations;
    return nullptr;
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
    all.streams[stream] = keep_graph(new CUgraph_st());
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
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
    static thread_local cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
    if (!mode || *mode > cudaStreamCaptureModeRelaxed)
        return remember_error(cudaErrorInvalidValue);
    std::swap(own, *mode);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long) {
    runtime_guard guard;
    if (!executable || !all.graphs.count(graph) || sort_nodes(graph).size() < graph->nodes.size())
        return remember_error(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st(make_executable(graph));
    all.executables.insert(*executable);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t handle) {
    runtime_guard guard;
    if (!all.executables.count(executable))
        return remember_error(cudaErrorInvalidValue);
    return remember_error(find_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
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
    for (const auto &node : executable->nodes)
        for (const stream_operation &o : node.operations)
            issue(stream, stream_operation(o));
    return remember_error(sticky_error());
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
    runtime_guard guard;
    if (!all.executables.count(executable) || !all.graphs.count(graph))
        return remember_error(cudaErrorInvalidValue);
    CUgraphExec_st next = make_executable(graph);
    cudaGraphExecUpdateResultInfo found = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (next.nodes.size() != executable->nodes.size())
        found.result = cudaGraphExecUpdateErrorTopologyChanged;
    const std::vector<CUgraphNode_st *> sorted = sort_nodes(graph);
    for (size_t i = 0; i < next.nodes.size() && !found.result; i++) {
        if (next.nodes[i].type != executable->nodes[i].type) {
            found.result = cudaGraphExecUpdateErrorNodeTypeChanged;
            found.errorNode = sorted[i];
        }
        next.nodes[i].number = executable->nodes[i].number;
    }
    if (info)
        *info = found;
    if (found.result)
        return remember_error(cudaErrorGraphExecUpdateFailure);
    executable->nodes = std::move(next.nodes);
    return cudaSuccess;
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

/* Stream 0 is that of the thread. */
OF_THREAD(cudaStreamBeginCapture, 2)
OF_THREAD(cudaStreamEndCapture, 2)
OF_THREAD(cudaStreamIsCapturing, 2)
OF_THREAD(cudaGraphUpload, 2)
OF_THREAD(cudaGraphLaunch, 2)

} /* extern "C" */
