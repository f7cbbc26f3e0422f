/* graphs.h - operations that are captured from streams, or added as nodes, to be done later and
 * again. */
#ifndef CUDACPU_RUNTIME_GRAPHS_H
#define CUDACPU_RUNTIME_GRAPHS_H
#include "runtime/streams/stream_queue.h"
#include <memory>
#include <vector>

/* C's name of a node: what it does, and after which others. */
struct CUgraphNode_st {
    uint64_t number; /* a clone's node has that of the one it was made of */
    cudaGraphNodeType type;
    std::vector<CUgraphNode_st *> after;
    std::vector<cudacpu::stream_operation> operations;
    cudaKernelNodeParams kernel; /* func is NULL: not known, since it was captured */
    std::vector<std::vector<char>> arguments;
    std::vector<void *> pointers; /* to the arguments */
};
/* Nodes in the order in which they were added or captured. */
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

namespace cudacpu {

/* While one lives, what this thread gives to any stream goes to `operations` instead. */
struct recording_scope {
    explicit recording_scope(std::vector<stream_operation> *operations);
    ~recording_scope();
};

bool is_graph(const CUgraph_st *graph);
CUgraph_st *keep_graph(CUgraph_st *graph);
CUgraph_st *find_graph_of(const CUgraphNode_st *node); /* NULL: of none */
uint64_t next_node_number();
/* In an order that the edges allow, else as they were added; fewer than there are: a circle. */
std::vector<CUgraphNode_st *> sort_nodes(const CUgraph_st *graph);
/* What the node of this number does in the executable; NULL: there is none. */
std::vector<stream_operation> *find_executable_node(CUgraphExec_st *executable, uint64_t number);

} // namespace cudacpu
#endif
