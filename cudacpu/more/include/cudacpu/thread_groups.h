/* thread_groups.h - of cooperative_groups.h, which includes it, the groups but the cluster: block,
 * tiles of up to a warp, coalesced threads, grid. reduce.h, scan.h and memcpy_async.h are in
 * cooperative_groups/. Absent: tiles of more than 32 threads, multi-device grids, barrier_arrive
 * and barrier_wait of blocks. */
#ifndef CUDACPU_THREAD_GROUPS_H
#define CUDACPU_THREAD_GROUPS_H
#include "cudacpu/groups.h"

namespace cooperative_groups {

/* Any group, as a parameter of a function: the block, or lanes of a warp. */
class thread_group {
  protected:
    bool is_block;
    unsigned lanes; /* the mask of a group within a warp */
    explicit thread_group(unsigned mask) : is_block(false), lanes(mask) {}
    thread_group() : is_block(true), lanes(0) {}
    friend thread_group tiled_partition(const thread_group &, unsigned);

  public:
    unsigned size() const {
        return is_block ? blockDim.x * blockDim.y * blockDim.z : __popc(lanes);
    }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        return is_block ? ::cudacpu::here().number : __popc(lanes & ::cudacpu::lanes_below());
    }
    bool is_valid() const { return true; }
    void sync(CUDACPU_SITE) const {
        if (is_block)
            CUDACPU_WAIT(CUDACPU_HERE);
        else
            __syncwarp(lanes, file, line);
    }
};

class thread_block : public thread_group {
    thread_block() {}
    friend thread_block this_thread_block();

  public:
    static void sync(CUDACPU_SITE) { CUDACPU_WAIT(CUDACPU_HERE); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return ::cudacpu::here().number; }
    static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return thread_block(); }

/* Lanes of a warp, in the order of their ranks: what tiles and coalesced threads share. */
class lane_group : public thread_group {
  protected:
    explicit lane_group(unsigned mask) : thread_group(mask) {}

  public:
    template <class T> T shfl(T value, int rank, CUDACPU_SITE) const {
        const int count = (int)size();
        return from_rank(value, (rank % count + count) % count, file, line);
    }
    template <class T> T shfl_up(T value, unsigned delta, CUDACPU_SITE) const {
        const unsigned rank = thread_rank();
        return from_rank(value, rank >= delta ? rank - delta : rank, file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, CUDACPU_SITE) const {
        const unsigned rank = thread_rank();
        return from_rank(value, delta < size() - rank ? rank + delta : rank, file, line);
    }
    int any(int predicate, CUDACPU_SITE) const { return __any_sync(lanes, predicate, file, line); }
    int all(int predicate, CUDACPU_SITE) const { return __all_sync(lanes, predicate, file, line); }
    /* A bit for each rank. */
    unsigned ballot(int predicate, CUDACPU_SITE) const {
        return ::cudacpu::pack_lanes(lanes, __ballot_sync(lanes, predicate, file, line));
    }
    template <class T> unsigned match_any(T value, CUDACPU_SITE) const {
        return ::cudacpu::pack_lanes(lanes, __match_any_sync(lanes, value, file, line));
    }
    template <class T> unsigned match_all(T value, int &predicate, CUDACPU_SITE) const {
        predicate = __match_any_sync(lanes, value, file, line) == lanes;
        return predicate ? ::cudacpu::pack_lanes(lanes, lanes) : 0;
    }
    unsigned lane_mask() const { return lanes; } /* cudacpu's own */

  protected:
    template <class T>
    T from_rank(const T &value, unsigned rank, const char *file, int line) const {
        return ::cudacpu::shuffle_words(lanes, value, ::cudacpu::lane_of_rank(lanes, rank), file,
                                        line);
    }
};

class coalesced_group : public lane_group {
    unsigned number, groups; /* of those that a partition made */

  public:
    explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned count = 1)
        : lane_group(mask), number(rank), groups(count) {}
    unsigned meta_group_rank() const { return number; }
    unsigned meta_group_size() const { return groups; }
};

/* Those lanes of the warp that come here together. */
inline coalesced_group coalesced_threads(CUDACPU_SITE) {
    return coalesced_group(::cudacpu::converged_mask(CUDACPU_HERE));
}

template <unsigned count = 1024> struct block_tile_memory { /* what larger tiles need */
    static_assert(count == 0, "cudacpu does not provide tiles of more than 32 threads, nor "
                              "block_tile_memory: take tiles of 32 and __shared__ memory");
};

template <unsigned count, class parent = void> class thread_block_tile : public lane_group {
    static_assert(count > 0 && (count & (count - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static_assert(count <= 32, "cudacpu does not provide tiles of more than 32 threads");

  public:
    thread_block_tile()
        : lane_group((count == 32 ? ~0u : (1u << count % 32) - 1)
                     << (::cudacpu::lane() & ~((int)count - 1))) {}
    static unsigned thread_rank() { return ::cudacpu::lane() & (count - 1); }
    static constexpr unsigned size() { return count; }
    static constexpr unsigned num_threads() { return count; }
    static unsigned meta_group_rank() { return ::cudacpu::here().number / count; }
    static unsigned meta_group_size() { return (thread_block::size() + count - 1) / count; }
    template <class T> T shfl_xor(T value, int bits, CUDACPU_SITE) const {
        const unsigned rank = thread_rank() ^ (unsigned)bits;
        return this->from_rank(value, rank < count ? rank : thread_rank(), file, line);
    }
    /* Of another type of tile, whose parent is left out. */
    template <class other>
    thread_block_tile(const thread_block_tile<count, other> &t) : lane_group(t) {}
};

template <unsigned count>
thread_block_tile<count, thread_block> tiled_partition(const thread_block &) {
    return {};
}
template <unsigned count, unsigned whole, class parent>
thread_block_tile<count, thread_block_tile<whole, parent>>
tiled_partition(const thread_block_tile<whole, parent> &) {
    static_assert(count <= whole, "a tile of a tile is not larger");
    return {};
}
template <unsigned count> coalesced_group tiled_partition(const coalesced_group &g) {
    static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    return coalesced_group(::cudacpu::lanes_of_tile(g.lane_mask(), g.thread_rank(), count),
                           g.thread_rank() / count, (g.size() + count - 1) / count);
}
inline thread_group tiled_partition(const thread_group &g, unsigned count) {
    if (!g.is_block)
        return thread_group(::cudacpu::lanes_of_tile(g.lanes, g.thread_rank(), count));
    if (count == 0 || count > 32 || count & (count - 1))
        __trap();
    return thread_group((count == 32 ? ~0u : (1u << count) - 1)
                        << (::cudacpu::lane() & ~((int)count - 1)));
}

/* The lanes with the same predicate, or label. */
inline coalesced_group binary_partition(const lane_group &g, bool predicate, CUDACPU_SITE) {
    const unsigned mask = g.lane_mask(), with = __ballot_sync(mask, predicate, file, line) & mask;
    return coalesced_group(predicate ? with : mask & ~with, predicate, 2);
}
template <class T> coalesced_group labeled_partition(const lane_group &g, T label, CUDACPU_SITE) {
    return coalesced_group(__match_any_sync(g.lane_mask(), label, file, line));
}

/* All threads of a launch by cudaLaunchCooperativeKernel. */
class grid_group {
    grid_group() {}
    friend grid_group this_grid();

  public:
    static bool is_valid() { return ::cudacpu::is_cooperative(); }
    static void sync(CUDACPU_SITE) { ::cudacpu::sync_grid(CUDACPU_HERE); }
    static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
inline grid_group this_grid() { return grid_group(); }

template <class group> void sync(const group &g, CUDACPU_SITE) { g.sync(file, line); }
/* One of the threads does it; all get what a broadcast of its result is. */
template <class group, class F, class... A>
void invoke_one(const group &g, F &&f, A &&...arguments) {
    if (g.thread_rank() == 0)
        f(std::forward<A>(arguments)...);
}
template <class group, class F, class... A>
auto invoke_one_broadcast(const group &g, F &&f, A &&...arguments) {
    decltype(f(std::forward<A>(arguments)...)) result{};
    if (g.thread_rank() == 0)
        result = f(std::forward<A>(arguments)...);
    return g.shfl(result, 0);
}
template <class group> auto thread_rank(const group &g) { return g.thread_rank(); }
template <class group> auto group_size(const group &g) { return g.size(); }

} // namespace cooperative_groups
#endif
