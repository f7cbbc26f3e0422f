/* graph_memory.h - memory that a graph's nodes allocate and free, added or captured: it has the
 * same addresses in every launch. Here it stays until the program ends, with what it held: neither
 * a use after its node that frees it nor one before the next launch is found. */
#ifndef CUDACPU_RUNTIME_GRAPH_MEMORY_H
#define CUDACPU_RUNTIME_GRAPH_MEMORY_H
#include "allocation.h"
#include "graphs.h"

namespace cudacpu {

/* The stream is captured. */
WITH_GRAPHS cudaError_t allocate_in_graph(allocation *a, CUstream_st *stream, void *caller);
/* Captured or not: a graph that is launched again has the memory again. */
WITH_GRAPHS cudaError_t free_in_graph(CUstream_st *stream, void *caller);

} // namespace cudacpu
#endif
