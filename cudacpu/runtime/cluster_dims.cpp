/* cluster_dims.cpp - a launch asks its kernel for __cluster_dims__. */
#include "cudacpu/cluster_dims.h"
#include "block.h"
#include "cudacpu/ptx.h"
#include <string>

namespace cudacpu {
namespace {
thread_local dim3 *answer; /* of the launch that asks */
}

bool tells_cluster(const site *where, unsigned x, unsigned y, unsigned z) {
    if (!answer) {
        using ptx::blocks_in_cluster;
        if (x == 0)
            return false;
        if (blocks_in_cluster(0) != x || blocks_in_cluster(1) != y || blocks_in_cluster(2) != z)
            fail_thread("launch without its clusters", where,
                        "the kernel has __cluster_dims__(" + std::to_string(x) + ", " +
                            std::to_string(y) + ", " + std::to_string(z) +
                            "), which cudacpu knows where a launch names the kernel, and not "
                            "where a pointer does");
        return false;
    }
    *answer = dim3(x, y, z);
    return true;
}

dim3 ask_cluster(void (*kernel)(const void *), const void *arguments) {
    dim3 cluster;
    answer = &cluster;
    kernel(arguments);
    answer = nullptr;
    return cluster;
}

} // namespace cudacpu
