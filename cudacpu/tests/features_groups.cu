/* features_groups.cu - cooperative groups, and launches whose blocks wait for each other. */
#include "device_words.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

/* The programming guide's: a sum by a group of any kind. */
static __device__ int sum_of(cg::thread_group g, int *room, int value) {
    const int rank = (int)g.thread_rank();
    for (int i = (int)g.size() / 2; i > 0; i /= 2) {
        room[rank] = value;
        g.sync();
        if (rank < i)
            value += room[rank + i];
        g.sync();
    }
    return value;
}
static __global__ void sums(int *p) {
    __shared__ int room[128];
    cg::thread_block block = cg::this_thread_block();
    const int x = (int)block.thread_rank(), all = sum_of(block, room, x);
    cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sum_of(tile, room + x / 16 * 16, x);
    p[x] = block.thread_rank() == 0 ? all : tile.thread_rank() == 0 ? part : -1;
    p[128 + x] = (int)(block.size() * 1000 + tile.size());
    auto warp = cg::tiled_partition<32>(block);
    p[384 + x] = cg::reduce(warp, x, cg::plus<int>()) + (int)warp.thread_rank();
    p[256 + x] =
        (int)(block.group_index().x * 1000 + block.thread_index().x + 100 * block.thread_index().y);
}
/* Header: cooperative_groups.h; covers: blocks, groups of any kind; not: groups of several devices.
 */
static const char *test_sums() {
    START();
    sums<<<1, dim3(32, 4)>>>(device_words);
    FINISH();
    EXPECT(words[0] == 127 * 64);
    for (int x = 0; x < 128; x++) {
        if (x > 0)
            EXPECT(words[x] == (x % 16 ? -1 : 16 * x + 120));
        EXPECT(words[384 + x] == 32 * (x - x % 32) + 496 + x % 32);
        EXPECT(words[128 + x] == 128016 && words[256 + x] == x % 32 + 100 * (x / 32));
    }
    return NULL;
}

struct pair_of_sums {
    double sum, squares;
    int count;
};
static __global__ void tiles(int *p) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int x = (int)threadIdx.x, rank = (int)tile.thread_rank();
    int *r = p + 16 * x;
    r[0] = tile.shfl(x, 3);
    r[1] = tile.shfl_up(x, 2);
    r[2] = tile.shfl_down(x, 2);
    r[3] = tile.shfl_xor(x, 5);
    r[4] = (int)tile.ballot(rank % 3 == 0);
    r[5] = tile.any(x == 9) != 0;
    r[6] = tile.all(x < 200) != 0;
    r[7] = (int)tile.match_any(rank / 2);
    r[8] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
    r[9] = cg::reduce(tile, x, cg::plus<int>());
    r[10] = cg::reduce(tile, x, cg::greater<int>()) * 1000 + cg::reduce(tile, x, cg::less<int>());
    r[11] = cg::inclusive_scan(tile, x);
    r[12] = cg::exclusive_scan(tile, x, cg::plus<int>());
    auto half = cg::tiled_partition<4>(tile);
    pair_of_sums s = {(double)x, (double)x * x, 1};
    s = half.shfl(s, 1);
    r[13] = (int)(s.sum * 10000 + s.squares) + s.count;
    r[14] = (int)half.thread_rank();
    tile.sync();
    r[15] = (int)(tile.num_threads() + half.size());
}
/* Header: cooperative_groups.h; covers: tiles of 32 threads and fewer; not: larger tiles.
 * Header: cooperative_groups/reduce.h, cooperative_groups/scan.h; covers: `reduce`,
 * `inclusive_scan`, `exclusive_scan`; not: into memory. */
static const char *test_tiles() {
    START();
    tiles<<<1, 72>>>(device_words);
    FINISH();
    for (int x = 0; x < 72; x++) {
        const int *r = words + 16 * x, rank = x % 8, first = x - rank, in_half = x / 4 * 4 + 1;
        EXPECT(r[0] == first + 3 && r[1] == (rank < 2 ? x : x - 2) &&
               r[2] == (rank < 6 ? x + 2 : x) && r[3] == first + (rank ^ 5));
        EXPECT(r[4] == 0x49 && r[5] == (first == 8) && r[6] == 1 && r[7] == 3 << rank / 2 * 2);
        EXPECT(r[8] == x / 8 * 100 + 9 && r[9] == 8 * first + 28);
        EXPECT(r[10] == (first + 7) * 1000 + first);
        EXPECT(r[11] == (rank + 1) * first + rank * (rank + 1) / 2 && r[12] == r[11] - x);
        EXPECT(r[13] == in_half * 10000 + in_half * in_half + 1 && r[14] == x % 4 && r[15] == 12);
    }
    return NULL;
}

static __global__ void one_of_each(int *p) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    cg::invoke_one(block, [&] { atomicAdd(p, 1); });
    cg::invoke_one(
        tile, [](int *to, int value) { atomicAdd(to, value); }, p + 1, 10);
    p[2 + block.thread_rank()] =
        cg::invoke_one_broadcast(tile, [&] { return atomicAdd(p + 100, 1); });
}
/* Header: cooperative_groups.h; covers: `invoke_one`, `invoke_one_broadcast`. */
static const char *test_one_of_each() {
    START();
    one_of_each<<<1, 64>>>(device_words);
    FINISH();
    EXPECT(words[0] == 1 && words[1] == 40 && words[100] == 4);
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        EXPECT(words[2 + i] == words[2 + i / 16 * 16]);
        sum += words[2 + i];
    }
    EXPECT(sum == 16 * (0 + 1 + 2 + 3));
    return NULL;
}

static __global__ void coalesced(int *p) {
    const int x = (int)threadIdx.x;
    int *r = p + 8 * x;
    if (x % 3 == 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        const int first = g.thread_rank() == 0 ? atomicAdd(p + 4000, (int)g.size()) : 0;
        r[0] = g.shfl(first, 0) + (int)g.thread_rank();
        r[1] = (int)g.size();
        r[2] = cg::reduce(g, 1 << g.thread_rank(), cg::bit_or<int>());
        r[3] = g.shfl_up(x, 1);
        r[4] = g.shfl_down(x, 1);
        cg::coalesced_group even = cg::binary_partition(g, x % 2 == 0);
        r[5] = (int)even.size() * 100 + (int)even.thread_rank();
        r[6] = (int)g.ballot(x % 2 == 0);
    } else {
        r[0] = -1;
    }
    __syncthreads();
    r[7] = p[4000];
}
/* Which lanes coalesce is not said; all words of CUDA's own hold whatever they are.
 * Header: cooperative_groups.h; covers: coalesced threads, partitions. */
static const char *test_coalesced() {
    START();
    coalesced<<<1, 96>>>(device_words);
    FINISH();
    int seen[32] = {};
    for (int x = 0; x < 96; x++) {
        const int *r = words + 8 * x;
        EXPECT(r[7] == 32);
        if (x % 3 != 1)
            continue;
        EXPECT(r[0] >= 0 && r[0] < 32 && seen[r[0]]++ == 0);
        EXPECT(r[1] >= 1 && r[1] <= 11 && r[2] == (1 << r[1]) - 1);
        EXPECT((r[3] == x || r[3] == x - 3) && (r[4] == x || r[4] == x + 3));
        EXPECT(r[5] / 100 <= r[1] && r[5] % 100 < r[5] / 100);
        EXPECT(__builtin_popcount((unsigned)r[6]) == (x % 2 ? r[1] - r[5] / 100 : r[5] / 100));
    }
    return NULL;
}

static __global__ void copies(int *p) {
    __shared__ int room[96];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, room, p, sizeof(int) * 90);
    cg::wait(block);
    if (threadIdx.x < 90)
        p[1000 + threadIdx.x] = room[89 - threadIdx.x];
}
/* Header: cooperative_groups/memcpy_async.h; covers: `memcpy_async` and `wait` of a block. */
static const char *test_copies() {
    START();
    for (int i = 0; i < 90; i++)
        words[i] = 7 * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    copies<<<1, 96>>>(device_words);
    FINISH();
    for (int i = 0; i < 90; i++)
        EXPECT(words[1000 + i] == 7 * (89 - i));
    return NULL;
}

/* Each block adds what its neighbour wrote before the barrier, three times. */
static __global__ void around(int *p, int rounds) {
    cg::grid_group grid = cg::this_grid();
    const int blocks = (int)gridDim.x, threads = (int)blockDim.x;
    const int mine = (int)grid.thread_rank(), next = (mine + threads) % (blocks * threads);
    p[mine] = mine;
    for (int i = 0; i < rounds; i++) {
        grid.sync();
        const int other = p[next];
        grid.sync();
        p[mine] += other;
    }
    if (mine == 0)
        p[4095] = grid.is_valid() * 1000 + (int)grid.num_blocks();
}
/* Header: cooperative_groups.h; covers: `grid.sync()`. */
static const char *test_grid() {
    enum { BLOCKS = 4, THREADS = 64, COUNT = BLOCKS * THREADS };
    START();
    int rounds = 3;
    void *arguments[] = {&device_words, &rounds};
    OK(cudaLaunchCooperativeKernel((void *)around, dim3(BLOCKS), dim3(THREADS), arguments));
    FINISH();
    int expected[COUNT], before[COUNT];
    for (int i = 0; i < COUNT; i++)
        expected[i] = i;
    for (int round = 0; round < rounds; round++) {
        memcpy(before, expected, sizeof before);
        for (int i = 0; i < COUNT; i++)
            expected[i] += before[(i + THREADS) % COUNT];
    }
    for (int i = 0; i < COUNT; i++)
        EXPECT(words[i] == expected[i]);
    EXPECT(words[4095] == 1000 + BLOCKS);
    return NULL;
}

/* Header: cuda_runtime.h; covers: `cudaLaunchKernel`, `cudaLaunchCooperativeKernel`. */
static const char *test_grid_too_large() {
    START();
    int rounds = 1;
    void *arguments[] = {&device_words, &rounds};
    EXPECT_CODE(cudaLaunchCooperativeKernel((void *)around, 1 << 20, 1024, arguments, 0, 0),
                cudaErrorCooperativeLaunchTooLarge);
    EXPECT_CODE(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    OK(cudaLaunchKernel((void *)sums, 1, dim3(128), arguments, 0, 0));
    FINISH();
    EXPECT(words[0] == 127 * 64);
    return NULL;
}

/* Each block reads what its neighbour in the cluster has written into its shared memory. */
static __global__ void neighbours(int *p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    const int rank = (int)cluster.block_rank(), blocks = (int)cluster.num_blocks();
    if (threadIdx.x == 0)
        mine = 10 + (int)blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0)
        p[blockIdx.x] = *cluster.map_shared_rank(&mine, (rank + 1) % blocks) * 10 + blocks;
    cluster.sync();
#else
    p[blockIdx.x] = -1; /* compiled for a device without clusters */
#endif
}
/* Header: cooperative_groups.h; covers: clusters, `map_shared_rank`. */
static const char *test_clusters() {
    int has_clusters = 0;
    OK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    if (!has_clusters)
        return NULL;
    cudaLaunchAttribute pairs;
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim.x = 2;
    pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(6);
    config.blockDim = dim3(32);
    config.attrs = &pairs;
    config.numAttrs = 1;
    START();
    OK(cudaLaunchKernelEx(&config, neighbours, device_words));
    FINISH();
    for (int i = 0; i < 6; i++)
        EXPECT(words[i] == -1 || words[i] == (10 + (i ^ 1)) * 10 + 2);
    return NULL;
}

/* Two warps copy tiles, each thread of the third adds up its element of each: by roles, and by the
 * number of producers. */
template <class T> static __device__ void add_tiles(int *p, int tiles, T role) {
    enum { STAGES = 3, TILE = 32 };
    __shared__ int kept[STAGES][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    const cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, role);
    const int thread = (int)threadIdx.x;
    int sum = 0;
    for (int tile = 0; tile < tiles; tile++) {
        int *stage = kept[tile % STAGES];
        if (thread < 2 * TILE) {
            pipe.producer_acquire();
            if (thread % 2 == 0)
                cuda::memcpy_async(&stage[thread / 2], &p[tile * TILE + thread / 2],
                                   cuda::aligned_size_t<4>(sizeof(int)), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stage[thread - 2 * TILE];
            pipe.consumer_release();
        }
    }
    if (thread >= 2 * TILE)
        p[500 + thread - 2 * TILE] += sum;
}
static __global__ void add_by_roles(int *p, int tiles) {
    add_tiles(p, tiles,
              threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
}
static __global__ void add_by_count(int *p, int tiles) { add_tiles(p, tiles, (size_t)64); }
static __global__ void number_words(int *p, int count) {
    for (int i = 0; i < count; i++)
        p[i] = i;
}
/* Header: cuda/pipeline; covers: producers and consumers. */
static const char *test_pipeline_roles() {
    START();
    number_words<<<1, 1>>>(device_words, 320);
    add_by_roles<<<1, 96>>>(device_words, 10);
    add_by_count<<<1, 96>>>(device_words, 7);
    FINISH();
    for (int i = 0; i < 32; i++)
        EXPECT(words[500 + i] == 10 * i + 32 * 45 + 7 * i + 32 * 21);
    return NULL;
}

extern "C" const conformance_case group_features[] = {
    {"one thread of a group", test_one_of_each},
    {"groups of any kind", test_sums},
    {"tiles", test_tiles},
    {"coalesced threads", test_coalesced},
    {"copies of a group", test_copies},
    {"barrier of a grid", test_grid},
    {"clusters", test_clusters},
    {"cooperative launches that do not fit", test_grid_too_large},
    {"pipeline roles", test_pipeline_roles},
    {NULL, NULL}};
