/* barriers.cu - bar.sync and bar.arrive with numbers, elect.sync, setmaxnreg. Prints each wrong
 * value; exits 1 when there is one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 256, WARPGROUP = 128, ROUNDS = 5 };

static __device__ void sync_threads(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
static __device__ void arrive(int barrier, int threads) {
    asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/* Each half of the block reverses its own values, as often as its number says: neither waits for
 * the other. */
static __global__ void halves_kernel(int *out) {
    __shared__ int values[THREADS];
    const int x = threadIdx.x, half = x / WARPGROUP, y = x % WARPGROUP;
    int value = x;
    for (int round = 0; round < ROUNDS + half; round++) {
        values[x] = value;
        sync_threads(half + 1, WARPGROUP);
        value = values[half * WARPGROUP + WARPGROUP - 1 - y] + 1000;
        sync_threads(half + 1, WARPGROUP);
    }
    out[x] = value;
}

/* The first half produces, the second consumes; each tells the other without waiting for it. */
static __global__ void producer_kernel(int *out) {
    __shared__ int values[WARPGROUP];
    const int x = threadIdx.x % WARPGROUP;
    int sum = 0;
    if (threadIdx.x < WARPGROUP) {
        for (int round = 0; round < ROUNDS; round++) {
            if (round > 0)
                sync_threads(15, THREADS); /* the values have been read */
            values[x] = 10 * round + x;
            __threadfence_block();
            arrive(14, THREADS);
        }
    } else {
        for (int round = 0; round < ROUNDS; round++) {
            sync_threads(14, THREADS); /* the values are there */
            sum += values[(x + 1) % WARPGROUP];
            if (round + 1 < ROUNDS)
                arrive(15, THREADS);
        }
    }
    out[threadIdx.x] = sum;
}

/* Barrier 0 is that of __syncthreads(). */
static __global__ void whole_kernel(int *out) {
    __shared__ int values[THREADS];
    const int x = threadIdx.x;
    values[x] = x;
    asm volatile("bar.sync 0;" ::: "memory");
    int value = values[(x + 1) % THREADS];
    __syncthreads();
    values[x] = value + 1;
    asm volatile("barrier.sync.aligned 3;" ::: "memory");
    out[x] = values[(x + 1) % THREADS];
}

/* One lane of each warp is elected; a warpgroup gives registers away. */
static __global__ void __launch_bounds__(THREADS, 1) elect_kernel(int *out) {
#if !defined(__NVCC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL) /* nvcc compiles for sm_90, too */
    if (threadIdx.x < WARPGROUP)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
#endif
    unsigned elected, leader;
    asm volatile("{\n.reg .pred p;\n"
                 "elect.sync %1|p, 0xffffffff;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(elected), "=r"(leader));
    const unsigned votes = __ballot_sync(~0u, elected != 0);
    out[threadIdx.x] =
        (int)(votes == 1u << leader) + 10 * (int)(elected == (votes >> threadIdx.x % 32 & 1));
}

static int wrong;

/* Compares what a kernel has written with expected(x). */
static void check(const char *name, void (*kernel)(int *), int (*expected)(int)) {
    int *device, host[THREADS];
    cudaMalloc(&device, sizeof host);
    cudaMemset(device, -1, sizeof host);
    kernel<<<3, THREADS>>>(device);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    if (error != cudaSuccess && ++wrong)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    for (int x = 0; x < THREADS && error == cudaSuccess; x++)
        if (host[x] != expected(x) && ++wrong < 20)
            printf("%s: thread %d has %d, not %d\n", name, x, host[x], expected(x));
}

static int expected_halves(int x) {
    const int half = x / WARPGROUP, rounds = ROUNDS + half, y = x % WARPGROUP;
    return half * WARPGROUP + (rounds % 2 ? WARPGROUP - 1 - y : y) + 1000 * rounds;
}
static int expected_sum(int x) {
    return x < WARPGROUP ? 0 : ROUNDS * ((x + 1) % WARPGROUP) + 10 * (ROUNDS * (ROUNDS - 1) / 2);
}
static int expected_whole(int x) { return (x + 2) % THREADS + 1; }
static int expected_election(int) { return 11; }

int main() {
    check("halves", halves_kernel, expected_halves);
    check("producer and consumer", producer_kernel, expected_sum);
    check("barrier 0", whole_kernel, expected_whole);
    check("elect", elect_kernel, expected_election);
    printf(wrong ? "barriers: %d wrong values\n" : "barriers: all right\n", wrong);
    return wrong != 0;
}
