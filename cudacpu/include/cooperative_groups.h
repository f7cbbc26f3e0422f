/* cooperative_groups.h - groups of threads: here the cluster. What no step needs, as block, tiles
 * and grid, is in thread_groups.h of more/. */
#ifndef CUDACPU_COOPERATIVE_GROUPS_H
#define CUDACPU_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"

namespace cooperative_groups {

class cluster_group {
    cluster_group() {}
    friend cluster_group this_cluster();

  public:
    static void barrier_arrive(CUDACPU_SITE) { ::cudacpu::ptx::cluster_arrive(CUDACPU_HERE); }
    static void barrier_wait(CUDACPU_SITE) { ::cudacpu::ptx::cluster_wait(CUDACPU_HERE); }
    static void sync(CUDACPU_SITE) {
        barrier_arrive(file, line);
        barrier_wait(file, line);
    }
    static unsigned num_blocks() { return ::cudacpu::ptx::cluster_size(); }
    static unsigned block_rank() { return ::cudacpu::ptx::cluster_rank(); }
    static unsigned num_threads() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank() {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + ::cudacpu::here().number;
    }
    static dim3 dim_blocks() {
        using ::cudacpu::ptx::blocks_in_cluster;
        return dim3(blocks_in_cluster(0), blocks_in_cluster(1), blocks_in_cluster(2));
    }
    static dim3 block_index() {
        using ::cudacpu::ptx::block_in_cluster;
        return dim3(block_in_cluster(0), block_in_cluster(1), block_in_cluster(2));
    }
    /* The same variable of another block's shared memory. */
    template <class T> static T *map_shared_rank(T *address, int rank, CUDACPU_SITE) {
        return (T *)::cudacpu::ptx::map_generic_to_rank((uint64_t)address, (uint32_t)rank,
                                                        CUDACPU_HERE);
    }
};
inline cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#if __has_include("cudacpu/thread_groups.h") /* where more/include is given */
#include "cudacpu/thread_groups.h"
#endif
#endif
