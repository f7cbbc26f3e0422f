/* graphs.h - operations that are captured from streams, or added as nodes, to be done later and
 * again. */
#ifndef CUDACPU_RUNTIME_GRAPHS_H
#define CUDACPU_RUNTIME_GRAPHS_H
#include "stream_queue.h"
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

/* The other modules call these functions of this one where they are there: a program that uses
 * no graphs is linked without it. */
#define WITH_GRAPHS __attribute__((weak, visibility("hidden")))
WITH_GRAPHS bool any_capture(); /* is any stream being captured, or a node being made? */
inline bool captures_anything() { return any_capture && any_capture(); }
/* True when the stream is captured: its graph has the operation then. */
WITH_GRAPHS bool capture(CUstream_st *stream, stream_operation &o);
WITH_GRAPHS bool is_captured(const CUstream_st *stream);
/* An event was recorded in the stream; a stream waits for an event: it is captured too, if the
 * event was recorded in a capture. */
WITH_GRAPHS void note_captured_event(const void *event, const CUstream_st *stream);
WITH_GRAPHS void join_capture(CUstream_st *stream, const void *event);

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
