/* graph_nodes.cpp - graphs that are built of nodes. A node holds the operations that the call which
 * it stands for would give to a stream. */
#include "cudacpu/graph_overloads.h"
#include "cudacpu/kernel.h"
#include "cudacpu/launch_config.h"
#include "graphs.h"
#include "runtime/api/calls.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include <algorithm>
#include <cstdio>
#include <map>

namespace cudacpu {
namespace {

/* What a node of this type does, by its parameters; or why it cannot. */
struct work {
    cudaGraphNodeType type;
    cudaError_t error = cudaSuccess;
    std::vector<stream_operation> operations = {};
    cudaKernelNodeParams kernel = {};
    std::vector<std::vector<char>> arguments = {};
};

/* Runs the call so that its operations become the node's, under the name of the call that the
 * program has made. */
template <class Call>
work record(cudaGraphNodeType type, const char *name, void *caller, Call call) {
    work w = {type};
    {
        recording_scope scope(&w.operations);
        w.error = call();
    }
    for (stream_operation &o : w.operations)
        if (!o.is_kernel()) {
            o.name = name;
            o.caller = caller;
        }
    return w;
}

work record_kernel(const cudaKernelNodeParams *params) {
    const cudaGraphNodeType type = cudaGraphNodeTypeKernel;
    if (!params || params->extra)
        return {type, cudaErrorInvalidValue};
    known_kernel kernel;
    if (!find_kernel(params->func, &kernel))
        return {type, cudaErrorInvalidDeviceFunction};
    if (!params->kernelParams && kernel.parameters)
        return {type, cudaErrorInvalidValue};
    std::vector<std::vector<char>> arguments;
    std::vector<void *> pointers;
    for (size_t i = 0; i < kernel.parameters; i++) {
        const char *argument = (const char *)params->kernelParams[i];
        arguments.emplace_back(argument, argument + kernel.parameter_bytes[i]);
        pointers.push_back(arguments.back().data());
    }
    const cudaLaunchConfig_t config = {params->gridDim, params->blockDim, params->sharedMemBytes,
                                       nullptr,         nullptr,          0};
    work w = record(type, "", nullptr, [&] {
        return launch_known(params->func, &config, pointers.data(), nullptr, nullptr, 0,
                            cudaStreamLegacy);
    });
    w.kernel = *params;
    w.arguments = std::move(arguments);
    return w;
}

work record_copy(const cudaMemcpy3DParms *params, const char *name, void *caller) {
    return record(cudaGraphNodeTypeMemcpy, name, caller,
                  [&] { return cudaMemcpy3DAsync(params, nullptr); });
}
work record_line(void *dst, const void *src, size_t bytes, cudaMemcpyKind kind, const char *name,
                 void *caller) {
    return record(cudaGraphNodeTypeMemcpy, name, caller,
                  [&] { return cudaMemcpyAsync(dst, src, bytes, kind, nullptr); });
}
work record_filling(const cudaMemsetParams *params, const char *name, void *caller) {
    return record(cudaGraphNodeTypeMemset, name, caller, [&] {
        return !params ? cudaErrorInvalidValue
                       : fill_elements(params->dst, params->pitch, params->value,
                                       params->elementSize, params->width, params->height, nullptr);
    });
}
work record_host(const cudaHostNodeParams *params, const char *name, void *caller) {
    if (!params || !params->fn)
        return {cudaGraphNodeTypeHost, cudaErrorInvalidValue};
    work w = {cudaGraphNodeTypeHost};
    const cudaHostNodeParams p = *params;
    w.operations.push_back(make_operation(name, caller));
    w.operations.back().perform = [p](const stream_operation &) { p.fn(p.userData); };
    return w;
}

void put(CUgraphNode_st *node, work &&w) {
    node->operations = std::move(w.operations);
    node->kernel = w.kernel;
    node->arguments = std::move(w.arguments);
    node->pointers.clear();
    for (auto &argument : node->arguments)
        node->pointers.push_back(argument.data());
    node->kernel.kernelParams = node->pointers.data();
}

bool has_node(const CUgraph_st *graph, const CUgraphNode_st *node) {
    return std::any_of(graph->nodes.begin(), graph->nodes.end(),
                       [&](const auto &own) { return own.get() == node; });
}

cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                     size_t count, work &&w) {
    runtime_guard guard;
    if (!node || !is_graph(graph) || (count && !after))
        return remember_error(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!has_node(graph, after[i]))
            return remember_error(cudaErrorInvalidValue);
    if (w.error)
        return remember_error(w.error);
    graph->nodes.emplace_back(new CUgraphNode_st());
    *node = graph->nodes.back().get();
    (*node)->number = next_node_number();
    (*node)->type = w.type;
    (*node)->after.assign(after, after + count);
    put(*node, std::move(w));
    return cudaSuccess;
}

cudaError_t set_node(cudaGraphNode_t node, work &&w) {
    runtime_guard guard;
    if (!node || node->type != w.type)
        return remember_error(cudaErrorInvalidValue);
    const cudaError_t error = w.error;
    if (!error)
        put(node, std::move(w));
    return remember_error(error);
}
cudaError_t set_executable_node(cudaGraphExec_t executable, cudaGraphNode_t node, work &&w) {
    runtime_guard guard;
    if (!node || node->type != w.type)
        return remember_error(cudaErrorInvalidValue);
    std::vector<stream_operation> *operations = find_executable_node(executable, node->number);
    if (!operations)
        return remember_error(cudaErrorInvalidValue);
    if (!w.error)
        *operations = std::move(w.operations);
    return remember_error(w.error);
}

cudaError_t list_nodes(const std::vector<CUgraphNode_st *> &found, cudaGraphNode_t *nodes,
                       size_t *count) {
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < found.size() ? found[i] : nullptr;
    *count = nodes ? std::min(*count, found.size()) : found.size();
    return cudaSuccess;
}

cudaError_t list_nodes_of(const CUgraph_st *graph, bool roots, cudaGraphNode_t *nodes,
                          size_t *count) {
    runtime_guard guard;
    if (!count || !is_graph(graph))
        return remember_error(cudaErrorInvalidValue);
    std::vector<CUgraphNode_st *> found;
    for (const auto &node : graph->nodes)
        if (!roots || node->after.empty())
            found.push_back(node.get());
    return list_nodes(found, nodes, count);
}

CUgraph_st *clone(const CUgraph_st *graph) {
    CUgraph_st *made = new CUgraph_st();
    std::map<const CUgraphNode_st *, CUgraphNode_st *> clones;
    for (const auto &node : graph->nodes) {
        made->nodes.emplace_back(new CUgraphNode_st(*node));
        CUgraphNode_st *own = clones[node.get()] = made->nodes.back().get();
        put(own, {own->type, cudaSuccess, std::move(own->operations), own->kernel,
                  std::move(own->arguments)});
    }
    for (auto &node : made->nodes)
        for (CUgraphNode_st *&before : node->after)
            before = clones[before];
    return made;
}

} // namespace

cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                      size_t count) {
    runtime_guard guard;
    if (!is_graph(graph) || (count && (!from || !to)))
        return remember_error(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        if (!has_node(graph, from[i]) || !has_node(graph, to[i]) || from[i] == to[i])
            return remember_error(cudaErrorInvalidValue);
        to[i]->after.push_back(from[i]);
    }
    return cudaSuccess;
}
cudaError_t remove_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t count) {
    runtime_guard guard;
    if (!is_graph(graph) || (count && (!from || !to)))
        return remember_error(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        if (!has_node(graph, to[i]))
            return remember_error(cudaErrorInvalidValue);
        auto &after = to[i]->after;
        after.erase(std::remove(after.begin(), after.end(), from[i]), after.end());
    }
    return cudaSuccess;
}
cudaError_t list_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                       size_t *count) {
    runtime_guard guard;
    if (!is_graph(graph) || !count || !from != !to)
        return remember_error(cudaErrorInvalidValue);
    std::vector<CUgraphNode_st *> begins, ends;
    for (const auto &node : graph->nodes)
        for (CUgraphNode_st *before : node->after) {
            begins.push_back(before);
            ends.push_back(node.get());
        }
    size_t room = *count;
    list_nodes(begins, from, &room);
    return list_nodes(ends, to, count);
}

cudaError_t list_neighbours(cudaGraphNode_t node, bool before, cudaGraphNode_t *nodes,
                            size_t *count, cudaGraphEdgeData *edges) {
    for (size_t i = 0; nodes && edges && count && i < *count; i++)
        edges[i] = {};
    runtime_guard guard;
    const CUgraph_st *graph = find_graph_of(node);
    if (!graph || !count)
        return remember_error(cudaErrorInvalidValue);
    std::vector<CUgraphNode_st *> found;
    if (before)
        found = node->after;
    else
        for (const auto &other : graph->nodes)
            if (std::count(other->after.begin(), other->after.end(), node))
                found.push_back(other.get());
    return list_nodes(found, nodes, count);
}

} // namespace cudacpu

using namespace cudacpu;

#define CALLER __func__, __builtin_return_address(0)

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
    if (!graph || flags)
        return remember_error(cudaErrorInvalidValue);
    *graph = keep_graph(new CUgraph_st());
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *made, cudaGraph_t graph) {
    runtime_guard guard;
    if (!made || !is_graph(graph))
        return remember_error(cudaErrorInvalidValue);
    *made = keep_graph(clone(graph));
    return cudaSuccess;
}
/* A node of a kind: the calls that add it, set it, and set it in an executable. */
#define NODE(add, set, set_executable, params_type, work)                                          \
    cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,        \
                    size_t count, const params_type *params) {                                     \
        return add_node(node, graph, after, count, work);                                          \
    }                                                                                              \
    cudaError_t set(cudaGraphNode_t node, const params_type *params) {                             \
        return set_node(node, work);                                                               \
    }                                                                                              \
    cudaError_t set_executable(cudaGraphExec_t executable, cudaGraphNode_t node,                   \
                               const params_type *params) {                                        \
        return set_executable_node(executable, node, work);                                        \
    }
NODE(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
     cudaKernelNodeParams, record_kernel(params))
NODE(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
     cudaMemcpy3DParms, record_copy(params, CALLER))
NODE(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
     cudaMemsetParams, record_filling(params, CALLER))
NODE(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
     cudaHostNodeParams, record_host(params, CALLER))
#undef NODE
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *dst,
                                     const void *src, size_t bytes, cudaMemcpyKind kind) {
    return add_node(node, graph, after, count, record_line(dst, src, bytes, kind, CALLER));
}
/* For the device that the parameters name, and its peers. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *params) {
    if (!params || params->poolProps.allocType != cudaMemAllocationTypePinned ||
        params->poolProps.location.type != cudaMemLocationTypeDevice ||
        !is_device(params->poolProps.location.id))
        return remember_error(cudaErrorInvalidValue);
    if (params->accessDescCount)
        return remember_error(cudaErrorNotSupported);
    device_scope scope(params->poolProps.location.id);
    return add_node(node, graph, after, count, record(cudaGraphNodeTypeMemAlloc, CALLER, [&] {
                        return cudaMallocAsync(&params->dptr, params->bytesize, nullptr);
                    }));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer) {
    const allocation *a = find_live_allocation(pointer);
    if (!a || !a->of_graph)
        return remember_error(cudaErrorInvalidValue);
    return add_node(node, graph, after, count, record(cudaGraphNodeTypeMemFree, CALLER, [&] {
                        return cudaFreeAsync(pointer, nullptr);
                    }));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count) {
    return add_node(node, graph, after, count, {cudaGraphNodeTypeEmpty});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child) {
    runtime_guard guard;
    if (!is_graph(child) || sort_nodes(child).size() < child->nodes.size())
        return remember_error(cudaErrorInvalidValue);
    work w = {cudaGraphNodeTypeGraph};
    for (const CUgraphNode_st *part : sort_nodes(child))
        w.operations.insert(w.operations.end(), part->operations.begin(), part->operations.end());
    return add_node(node, graph, after, count, std::move(w));
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    runtime_guard guard;
    CUgraph_st *graph = find_graph_of(node);
    if (!graph)
        return remember_error(cudaErrorInvalidValue);
    for (auto &other : graph->nodes)
        other->after.erase(std::remove(other->after.begin(), other->after.end(), node),
                           other->after.end());
    graph->nodes.erase(std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                    [&](const auto &own) { return own.get() == node; }));
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *params) {
    runtime_guard guard;
    if (!node || !params || node->type != cudaGraphNodeTypeKernel)
        return remember_error(cudaErrorInvalidValue);
    if (!node->kernel.func)
        return remember_error(cudaErrorNotSupported);
    *params = node->kernel;
    return cudaSuccess;
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t bytes,
                                               cudaMemcpyKind kind) {
    return set_executable_node(executable, node, record_line(dst, src, bytes, kind, CALLER));
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
    if (!node || !type)
        return remember_error(cudaErrorInvalidValue);
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    return list_nodes_of(graph, false, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    return list_nodes_of(graph, true, nodes, count);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
    runtime_guard guard;
    if (!node || !find_graph_of(original) || !is_graph(clone) || has_node(clone, original))
        return remember_error(cudaErrorInvalidValue);
    for (const auto &own : clone->nodes)
        if (own->number == original->number) {
            *node = own.get();
            return cudaSuccess;
        }
    return remember_error(cudaErrorInvalidValue);
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *file, unsigned) {
    static const char *const names[] = {"kernel", "memcpy", "memset", "host", "graph",  "empty",
                                        "",       "",       "",       "",     "malloc", "free"};
    runtime_guard guard;
    FILE *out = is_graph(graph) && file ? fopen(file, "w") : nullptr;
    if (!out)
        return remember_error(cudaErrorInvalidValue);
    fprintf(out, "digraph {\n");
    for (const auto &node : graph->nodes) {
        fprintf(out, "%llu [label=\"%s%s%s\"]\n", (unsigned long long)node->number,
                names[node->type], node->type == cudaGraphNodeTypeKernel ? " " : "",
                node->type == cudaGraphNodeTypeKernel ? node->operations[0].name : "");
        for (const CUgraphNode_st *before : node->after)
            fprintf(out, "%llu -> %llu\n", (unsigned long long)before->number,
                    (unsigned long long)node->number);
    }
    fprintf(out, "}\n");
    return remember_error(fclose(out) ? cudaErrorOperatingSystem : cudaSuccess);
}

} /* extern "C" */
