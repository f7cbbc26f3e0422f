/* reduction.h - the element types of nccl.h, and sums, products, ... of several ranks'. */
#ifndef CUDACPU_RUNTIME_NCCL_REDUCTION_H
#define CUDACPU_RUNTIME_NCCL_REDUCTION_H
#include "nccl.h"
#include <vector>

namespace cudacpu {

size_t size_of(ncclDataType_t type); /* 0: there is none */
const char *name_of(ncclDataType_t type);
const char *name_of(ncclRedOp_t op); /* NULL: there is none */

/* to[i] from the elements i of all: in the order of the ranks, so that all get the same bits. Half
 * and bfloat16 are rounded after each. */
void reduce(void *to, const std::vector<const void *> &from, size_t count, ncclDataType_t type,
            ncclRedOp_t op);

} // namespace cudacpu
#endif
