/* clusters.h - __cluster_dims__: the kernel tells them, a launch by its name asks. */
#ifndef CUDACPU_COMPILER_CLUSTERS_H
#define CUDACPU_COMPILER_CLUSTERS_H
#include <cstddef>

/* Reads all tokens: a launch may come before the kernel's definition. */
void find_clusters();

void rewrite_cluster_dims(size_t i);   /* token i is __cluster_dims__ */
bool is_cluster_kernel(size_t i);      /* token i is the name of one, or of a namesake */
void rewrite_cluster_kernel(size_t i); /* the kernel of __global__ at token i */

#endif
