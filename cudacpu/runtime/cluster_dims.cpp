/* cluster_dims.cpp - __cluster_dims__: a launch asks its kernel for them, or knows its address. */
#include "cudacpu/cluster_dims.h"
#include "block.h"
#include "cudacpu/ptx.h"
#include "lock.h"
#include <map>
#include <string>

namespace cudacpu {
namespace {
thread_local dim3 *answer; /* of the launch that asks */

/* Known before the runtime's own variables are made. */
std::map<const void *, dim3> &clusters() {
    static auto &known = *new std::map<const void *, dim3>();
    return known;
}
} // namespace

bool know_cluster(const void *kernel, dim3 cluster) {
    runtime_guard guard;
    clusters()[kernel] = cluster;
    return true;
}
dim3 known_cluster(const void *kernel) {
    runtime_guard guard;
    const auto found = clusters().find(kernel);
    return found == clusters().end() ? dim3(0) : found->second;
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
                            "), which cudacpu does not know where a pointer launches it: it has "
                            "overloads and default arguments; name the kernel in the launch");
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
