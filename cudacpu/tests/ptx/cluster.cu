/* cluster.cu - blocks of a cluster: their numbers, their barrier, each other's shared memory and
 * mbarriers. Prints each wrong value; exits 1 when there is one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 64, ROUNDS = 3, MOST_BLOCKS = 32 };

static __device__ unsigned address_of(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ unsigned map(const void *p, unsigned rank) {
    unsigned remote;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(remote)
                 : "r"(address_of(p)), "r"(rank));
    return remote;
}
static __device__ int *map_generic(int *p, unsigned rank) {
    uint64_t remote;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(remote) : "l"((uint64_t)p), "r"(rank));
    return (int *)remote;
}
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}
static __device__ unsigned rank_in_cluster() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
static __device__ unsigned blocks_in_cluster() {
    unsigned blocks;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
}

/* Where a block is: its place in the cluster, the cluster's in the grid. */
static __device__ void tell_numbers(int *out) {
    unsigned x, y, z, id_x, id_y, id_z, size_x, size_y, size_z, count_x, count_y;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;\nmov.u32 %1, %%cluster_ctaid.y;\n"
                 "mov.u32 %2, %%cluster_ctaid.z;"
                 : "=r"(x), "=r"(y), "=r"(z));
    asm volatile(
        "mov.u32 %0, %%clusterid.x;\nmov.u32 %1, %%clusterid.y;\nmov.u32 %2, %%clusterid.z;"
        : "=r"(id_x), "=r"(id_y), "=r"(id_z));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;\nmov.u32 %1, %%cluster_nctaid.y;\n"
                 "mov.u32 %2, %%cluster_nctaid.z;"
                 : "=r"(size_x), "=r"(size_y), "=r"(size_z));
    asm volatile("mov.u32 %0, %%nclusterid.x;\nmov.u32 %1, %%nclusterid.y;"
                 : "=r"(count_x), "=r"(count_y));
    const int right = blockIdx.x == id_x * size_x + x && blockIdx.y == id_y * size_y + y &&
                      blockIdx.z == id_z * size_z + z && gridDim.x == count_x * size_x &&
                      gridDim.y == count_y * size_y &&
                      rank_in_cluster() == x + size_x * (y + size_y * z) &&
                      blocks_in_cluster() == size_x * size_y * size_z;
    out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] =
        right ? (int)(1 + rank_in_cluster()) : -1;
}
static __global__ void __cluster_dims__(2, 2, 1) numbers_kernel(int *out) {
    if (threadIdx.x == 0)
        tell_numbers(out);
}
static __global__ void no_cluster_kernel(int *out) {
    if (threadIdx.x == 0)
        tell_numbers(out);
    sync_cluster(); /* a cluster of one block */
}

/* A ring of blocks: each adds to what the next one has, and tells it so by its mbarrier. */
template <int BLOCKS> static __global__ void __cluster_dims__(BLOCKS, 1, 1) ring_kernel(int *out) {
    extern __shared__ int dynamic[];
    __shared__ int values[THREADS];
    __shared__ uint64_t arrived;
    const unsigned x = threadIdx.x, rank = rank_in_cluster(), next = (rank + 1) % BLOCKS;
    if (x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&arrived)),
                     "r"(THREADS)
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    values[x] = dynamic[x] = 0;
    sync_cluster();
    int *const there = map_generic(&dynamic[x], next);
    for (int round = 0; round < ROUNDS; round++) {
        *there += (int)(1000 * blockIdx.x + x);
        asm volatile("{\n.reg .s32 value;\n"
                     "ld.shared::cluster.s32 value, [%0];\n"
                     "add.s32 value, value, %1;\n"
                     "st.shared::cluster.s32 [%0], value;\n}" ::"r"(map(&values[x], next)),
                     "r"(round + 1)
                     : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                         map(&arrived, next))
                     : "memory");
        asm volatile("{\n.reg .pred p;\n"
                     "AGAIN:\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra AGAIN;\n}" ::"r"(address_of(&arrived)),
                     "r"(round % 2)
                     : "memory");
        sync_cluster(); /* nobody is two rounds ahead, where the parity is the same */
    }
    unsigned rank_there;
    asm volatile("getctarank.shared::cluster.u32 %0, %1;"
                 : "=r"(rank_there)
                 : "r"(map(values, next)));
    out[blockIdx.x * THREADS + x] = dynamic[x] * 10 + values[x] + (rank_there == next ? 0 : -1000);
    sync_cluster(); /* nobody writes to a block that has ended */
}

/* Between arriving and waiting a block does something else; threads that end are not waited for. */
static __global__ void __cluster_dims__(4, 1, 1) split_kernel(int *out) {
    __shared__ int value;
    if (threadIdx.x >= 32)
        return;
    if (threadIdx.x == 0)
        value = (int)blockIdx.x;
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    int sum = 0;
    for (unsigned i = 0; i <= rank_in_cluster(); i++)
        sum += (int)i;
    asm volatile("barrier.cluster.wait;" ::: "memory");
    for (unsigned i = 0; i < blocks_in_cluster(); i++)
        sum += *map_generic(&value, i);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    sync_cluster();
}

static int wrong;

/* launch(out) launches so many blocks, which write so many results each. */
template <class L, class F>
static void check(const char *name, L launch, int blocks, int results, F expected) {
    int *device, host[MOST_BLOCKS * THREADS];
    cudaMalloc(&device, sizeof host);
    cudaMemset(device, -1, sizeof host);
    launch(device);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    if (error != cudaSuccess && ++wrong)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    for (int i = 0; i < blocks * results && error == cudaSuccess; i++)
        if (host[i] != expected(i) && ++wrong < 20)
            printf("%s: result %d is %d, not %d\n", name, i, host[i], expected(i));
}

template <int BLOCKS> static void check_ring(const char *name, int blocks) {
    const auto launch = [blocks](int *out) {
        ring_kernel<BLOCKS><<<(unsigned)blocks, THREADS, THREADS * sizeof(int)>>>(out);
    };
    check(name, launch, blocks, THREADS, [](int i) {
        const int block = i / THREADS, first = block / BLOCKS * BLOCKS,
                  before = first + (block - first + BLOCKS - 1) % BLOCKS;
        return 10 * ROUNDS * (1000 * before + i % THREADS) + ROUNDS * (ROUNDS + 1) / 2;
    });
}

int main() {
    check(
        "numbers", [](int *out) { numbers_kernel<<<dim3(4, 2, 3), THREADS>>>(out); }, 24, 1,
        [](int i) { return 1 + i % 2 + 2 * (i / 4 % 2); });
    check(
        "without clusters", [](int *out) { no_cluster_kernel<<<dim3(3, 2, 2), THREADS>>>(out); },
        12, 1, [](int) { return 1; });
    check_ring<1>("ring of 1", 3);
    check_ring<2>("ring of 2", 16);
    check_ring<4>("ring of 4", 16);
    check_ring<8>("ring of 8", 24);
    check(
        "arrive and wait", [](int *out) { split_kernel<<<8, THREADS>>>(out); }, 8, 1,
        [](int i) {
            const int rank = i % 4, first = i - rank;
            return rank * (rank + 1) / 2 + 4 * first + 6;
        });
    split_kernel<<<6, THREADS>>>(NULL); /* 6 blocks are no clusters of 4 */
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess && ++wrong)
        printf("a grid that is not a multiple of the cluster was launched\n");
    printf(wrong ? "cluster: %d wrong values\n" : "cluster: all right\n", wrong);
    return wrong != 0;
}
