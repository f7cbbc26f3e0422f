/* graph_memory.cpp - a graph's own memory stays: to allocate and to free it are operations without
 * effect. */
#include "graph_memory.h"

namespace cudacpu {
namespace {

cudaError_t issue_nothing(const char *name, CUstream_st *stream, void *caller) {
    stream_operation o = make_operation(name, caller);
    o.perform = [](const stream_operation &) {};
    issue(stream, std::move(o));
    return cudaSuccess;
}

} // namespace

cudaError_t allocate_in_graph(allocation *a, CUstream_st *stream, void *caller) {
    a->of_graph = true;
    return issue_nothing("cudaMallocAsync", stream, caller);
}
cudaError_t free_in_graph(CUstream_st *stream, void *caller) {
    return issue_nothing("cudaFreeAsync", stream, caller);
}

} // namespace cudacpu
