/* mbarrier.cu - arrivals, phases, states, parities and expected bytes of mbarriers, within a block.
 * Prints each wrong value; exits 1 when there is one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 96, RESULTS = 32 };

static __device__ unsigned address_of(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ void init(uint64_t *barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count)
                 : "memory");
}
static __device__ void invalidate(uint64_t *barrier) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address_of(barrier)) : "memory");
}
static __device__ uint64_t arrive(uint64_t *barrier, unsigned count) {
    uint64_t state;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(address_of(barrier)), "r"(count)
                 : "memory");
    return state;
}
static __device__ uint64_t arrive_and_drop(uint64_t *barrier) {
    uint64_t state;
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(address_of(barrier))
                 : "memory");
    return state;
}
static __device__ void arrive_expecting(uint64_t *barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(barrier)),
        "r"(bytes)
        : "memory");
}
static __device__ void expect(uint64_t *barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)),
        "r"(bytes)
        : "memory");
}
static __device__ void complete(uint64_t *barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)),
        "r"(bytes)
        : "memory");
}
static __device__ int is_complete(uint64_t *barrier, uint64_t state) {
    unsigned done;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address_of(barrier)), "l"(state)
                 : "memory");
    return (int)done;
}
static __device__ int is_parity_complete(uint64_t *barrier, unsigned parity) {
    unsigned done;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address_of(barrier)), "r"(parity)
                 : "memory");
    return (int)done;
}
static __device__ void wait_for_state(uint64_t *barrier, uint64_t state) {
    asm volatile("{\n.reg .pred p;\n"
                 "AGAIN:\nmbarrier.try_wait.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra AGAIN;\n}" ::"r"(address_of(barrier)),
                 "l"(state)
                 : "memory");
}
static __device__ void wait_for_parity(uint64_t *barrier, unsigned parity) {
    asm volatile("{\n.reg .pred p;\n"
                 "AGAIN:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], %1, 1000;\n"
                 "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(address_of(barrier)),
                 "r"(parity)
                 : "memory");
}
static __device__ unsigned pending(uint64_t state) {
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    return count;
}

/* What one thread sees of a barrier that nobody else uses. */
static __global__ void alone_kernel(int *out) {
    __shared__ uint64_t barrier;
    init(&barrier, 3);
    *out++ = is_parity_complete(&barrier, 1); /* 1: the phase before the first */
    *out++ = is_parity_complete(&barrier, 0); /* 0 */
    uint64_t state = arrive(&barrier, 1);
    *out++ = (int)pending(state);               /* 3: before the arrival */
    *out++ = is_complete(&barrier, state);      /* 0 */
    *out++ = (int)pending(arrive(&barrier, 2)); /* 2 */
    *out++ = is_complete(&barrier, state);      /* 1 */
    *out++ = is_parity_complete(&barrier, 0);   /* 1 */
    *out++ = is_parity_complete(&barrier, 1);   /* 0 */
    arrive_expecting(&barrier, 100);
    expect(&barrier, 28);
    state = arrive(&barrier, 2);
    *out++ = is_complete(&barrier, state); /* 0: 128 bytes are missing */
    complete(&barrier, 127);
    *out++ = is_complete(&barrier, state); /* 0 */
    complete(&barrier, 1);
    *out++ = is_complete(&barrier, state); /* 1 */
    complete(&barrier, 64);                /* before they are expected */
    state = arrive(&barrier, 2);
    arrive_expecting(&barrier, 64);
    *out++ = is_complete(&barrier, state);            /* 1 */
    *out++ = (int)pending(arrive_and_drop(&barrier)); /* 3 */
    state = arrive(&barrier, 2);
    *out++ = is_complete(&barrier, state);      /* 1 */
    *out++ = (int)pending(arrive(&barrier, 1)); /* 2: one does not come any more */
    arrive(&barrier, 1);
    invalidate(&barrier);
    init(&barrier, 1);
    *out++ = (int)pending(arrive(&barrier, 1)); /* 1 */
    *out++ = is_parity_complete(&barrier, 0);   /* 1 */
    invalidate(&barrier);
}
static const int ALONE[] = {1, 0, 3, 0, 2, 1, 1, 0, 0, 0, 1, 1, 3, 1, 2, 1, 1};

/* All threads meet at a barrier, by state or by parity, and see what the others have written. */
static __global__ void meet_kernel(int *out) {
    __shared__ uint64_t barrier;
    __shared__ int values[THREADS];
    const unsigned x = threadIdx.x;
    if (x == 0)
        init(&barrier, THREADS);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 6; round++) {
        values[x] = (int)x + round;
        wait_for_state(&barrier, arrive(&barrier, 1));
        sum += values[(x + 1) % THREADS];
        arrive(&barrier, 1);
        wait_for_parity(&barrier, 1); /* of phases 1, 3, 5, ... */
    }
    atomicAdd(out, sum);
    if (x == 0)
        invalidate(&barrier);
}
static const int MEET[] = {6 * (THREADS * (THREADS - 1) / 2) + 15 * THREADS};

/* A ring of two stages: warp 0 fills it, warps 1 and 2 empty it. */
static __global__ void ring_kernel(int *out) {
    __shared__ uint64_t full[2], empty[2];
    __shared__ int stage[2][32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) {
            init(&full[s], 32);
            init(&empty[s], 2);
        }
    __syncthreads();
    int sum = 0;
    for (unsigned turn = 0; turn < 11; turn++) {
        const unsigned s = turn % 2, parity = turn / 2 % 2;
        if (warp == 0) {
            wait_for_parity(&empty[s], parity ^ 1);
            stage[s][lane] = (int)(turn * 100 + lane);
            arrive(&full[s], 1);
        } else {
            wait_for_parity(&full[s], parity);
            sum += stage[s][31 - lane] * (int)warp;
            __syncwarp();
            if (lane == 0)
                arrive(&empty[s], 1);
        }
    }
    atomicAdd(out, sum);
}
static const int RING[] = {3 * (32 * 5500 + 11 * 496)};

static int wrong;

static void check(const char *name, void (*kernel)(int *), int threads, const int *expected,
                  size_t bytes) {
    int *device, host[RESULTS];
    cudaMalloc(&device, sizeof host);
    cudaMemset(device, 0, sizeof host);
    kernel<<<1, threads>>>(device);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    if (error != cudaSuccess && ++wrong)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    for (size_t i = 0; i < bytes / sizeof *expected && error == cudaSuccess; i++)
        if (host[i] != expected[i] && ++wrong)
            printf("%s: result %d is %d, not %d\n", name, (int)i, host[i], expected[i]);
}

int main() {
    check("alone", alone_kernel, 1, ALONE, sizeof ALONE);
    check("meet", meet_kernel, THREADS, MEET, sizeof MEET);
    check("ring", ring_kernel, THREADS, RING, sizeof RING);
    printf(wrong ? "mbarrier: %d wrong values\n" : "mbarrier: all right\n", wrong);
    return wrong != 0;
}
