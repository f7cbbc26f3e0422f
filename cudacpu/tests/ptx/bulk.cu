/* bulk.cu - bulk copies: to shared memory, counted by an mbarrier, to both blocks of a cluster,
 * from one block to the other, and back to global memory: the bytes that arrive.
 *
 *     bulk
 *
 * Prints a line for each case; status 1 with a sentence when one is wrong. Needs sm_90. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, WORDS = 256, BYTES = 4 * WORDS, STAGES = 2, TILES = 5, BLOCKS = 4 };

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void init_barrier(uint64_t *barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
                 "fence.mbarrier_init.release.cluster;" ::"r"(shared_address(barrier)),
                 "r"(count)
                 : "memory");
}
static __device__ void expect(uint64_t *barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}
static __device__ void wait(uint64_t *barrier, unsigned parity) {
    asm volatile("{\n.reg .pred p;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra done;\nbra again;\ndone:\n}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}
static __device__ void load(void *to, const void *from, unsigned bytes, uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
                 "aligned;" ::
                     : "memory");
}

/* STAGES tiles on their way; out is the sum of all tiles, word by word. */
static __global__ void staged_loads(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned tile[STAGES][WORDS];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const int i = threadIdx.x;
    if (i == 0)
        for (int s = 0; s < STAGES; s++) {
            init_barrier(&full[s], 1);
            init_barrier(&empty[s], THREADS);
        }
    __syncthreads();
    unsigned sum[WORDS / THREADS] = {};
    for (int t = 0; t < TILES + STAGES - 1; t++) {
        if (i == 0 && t < TILES) {
            const int s = t % STAGES;
            wait(&empty[s], t / STAGES % 2 ^ 1);
            expect(&full[s], BYTES);
            load(tile[s], in + t * WORDS, BYTES / 2, &full[s]);
            load(tile[s] + WORDS / 2, in + t * WORDS + WORDS / 2, BYTES / 2, &full[s]);
        }
        const int u = t - (STAGES - 1);
        if (u < 0)
            continue;
        wait(&full[u % STAGES], u / STAGES % 2);
        for (int k = 0; k < WORDS / THREADS; k++)
            sum[k] += tile[u % STAGES][WORDS - 1 - (k * THREADS + i)];
        asm volatile(
            "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&empty[u % STAGES]))
            : "memory");
    }
    for (int k = 0; k < WORDS / THREADS; k++)
        out[k * THREADS + i] = sum[k];
}

/* Block r of a cluster brings part r of the tile to both. */
static __global__ void __cluster_dims__(2, 1, 1) multicast(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned tile[WORDS];
    __shared__ uint64_t full;
    const int i = threadIdx.x, rank = blockIdx.x % 2, part = rank * (WORDS / 2);
    if (i == 0)
        init_barrier(&full, 1);
    sync_cluster();
    if (i == 0) {
        expect(&full, BYTES);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
            ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(tile + part)),
            "l"(in + blockIdx.x / 2 * WORDS + part), "r"(BYTES / 2), "r"(shared_address(&full)),
            "h"((unsigned short)3)
            : "memory");
    }
    wait(&full, 0);
    for (int k = i; k < WORDS; k += THREADS)
        out[blockIdx.x * WORDS + k] = tile[k];
    sync_cluster();
}

/* Each block sends its tile to the other one. */
static __global__ void __cluster_dims__(2, 1, 1) exchange(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned mine[WORDS], other[WORDS];
    __shared__ uint64_t full;
    const int i = threadIdx.x;
    for (int k = i; k < WORDS; k += THREADS)
        mine[k] = in[blockIdx.x * WORDS + k];
    if (i == 0) {
        init_barrier(&full, 1);
        expect(&full, BYTES);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    sync_cluster();
    if (i == 0)
        asm volatile("{\n.reg .b32 to, barrier;\n"
                     "mapa.shared::cluster.u32 to, %0, %4;\n"
                     "mapa.shared::cluster.u32 barrier, %2, %4;\n"
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[to], [%1], %3, [barrier];\n}" ::"r"(shared_address(other)),
                     "r"(shared_address(mine)), "r"(shared_address(&full)), "r"(BYTES),
                     "r"((blockIdx.x % 2) ^ 1)
                     : "memory");
    wait(&full, 0);
    for (int k = i; k < WORDS; k += THREADS)
        out[blockIdx.x * WORDS + k] = other[k];
    sync_cluster();
}

/* Two buffers, written back in turn; one may still be read while the other is filled. */
static __global__ void stores(const unsigned *in, unsigned *out) {
    __shared__ __align__(128) unsigned tile[2][WORDS];
    const int i = threadIdx.x;
    for (int t = 0; t < TILES; t++) {
        if (i == 0)
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        for (int k = i; k < WORDS; k += THREADS)
            tile[t % 2][k] = in[t * WORDS + k] + 1;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (i == 0)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                         "cp.async.bulk.commit_group;" ::"l"(out + t * WORDS),
                         "r"(shared_address(tile[t % 2])), "r"(BYTES)
                         : "memory");
    }
    if (i == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
    const int words = TILES * WORDS;
    unsigned *in = (unsigned *)malloc(words * 4), *got = (unsigned *)malloc(words * 4);
    for (int i = 0; i < words; i++)
        in[i] = (unsigned)i * 2654435761u;
    unsigned *device_in, *device_out;
    cudaMalloc(&device_in, words * 4);
    cudaMalloc(&device_out, words * 4);
    cudaMemcpy(device_in, in, words * 4, cudaMemcpyHostToDevice);
    int wrong = 0;
#define RUN(kernel, blocks, count, wanted)                                                         \
    cudaMemset(device_out, 7, words * 4);                                                          \
    kernel<<<blocks, THREADS>>>(device_in, device_out);                                            \
    if (cudaMemcpy(got, device_out, words * 4, cudaMemcpyDeviceToHost) != cudaSuccess) {           \
        printf("%s: the launch failed\n", #kernel);                                                \
        return 1;                                                                                  \
    }                                                                                              \
    {                                                                                              \
        int bad = 0;                                                                               \
        for (int i = count - 1; i >= 0; i--)                                                       \
            if (got[i] != (unsigned)(wanted))                                                      \
                bad = i + 1;                                                                       \
        if (bad)                                                                                   \
            printf("%s: word %d is %u\n", #kernel, bad - 1, got[bad - 1]);                         \
        else                                                                                       \
            printf("%s: ok\n", #kernel);                                                           \
        wrong |= bad != 0;                                                                         \
    }
    unsigned sums[WORDS] = {};
    for (int i = 0; i < words; i++)
        sums[WORDS - 1 - i % WORDS] += in[i];
    RUN(staged_loads, 1, WORDS, sums[i])
    RUN(multicast, BLOCKS, BLOCKS * WORDS, in[i / (2 * WORDS) * WORDS + i % WORDS])
    RUN(exchange, BLOCKS, BLOCKS * WORDS, in[(i / WORDS ^ 1) * WORDS + i % WORDS])
    RUN(stores, 1, words, in[i] + 1)
    cudaFree(device_in);
    cudaFree(device_out);
    free(in);
    free(got);
    return wrong;
}
