/* waits.cu - one fault of a kernel that waits, chosen by name: barriers with numbers, mbarriers,
 * clusters. Each must become a sentence, and the suite knows which. waits NAME */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static __device__ unsigned address_of(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ void init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
static __device__ void arrive(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(count)
                 : "memory");
}
static __device__ void expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}
static __device__ void complete(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}
static __device__ void wait_for(unsigned barrier, unsigned parity) {
    asm volatile("{\n.reg .pred waits;\n"
                 "AGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 waits, [%0], %1;\n"
                 "@!waits bra AGAIN;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}
static __device__ void spin_for(unsigned barrier, unsigned parity) {
    asm volatile("{\n.reg .pred spins;\n"
                 "AGAIN:\nmbarrier.test_wait.parity.shared::cta.b64 spins, [%0], %1;\n"
                 "@!spins bra AGAIN;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}
static __device__ void sync_threads(unsigned barrier, unsigned threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
static __device__ unsigned map(unsigned address, unsigned rank) {
    unsigned remote;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
    return remote;
}

/* ---- mbarriers: one thread, unless it says more ---- */

static __global__ void not_initialised() {
    __shared__ uint64_t barrier;
    arrive(address_of(&barrier), 1);
}
static __global__ void invalidated() {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 1);
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address_of(&barrier)) : "memory");
    wait_for(address_of(&barrier), 0);
}
static __global__ void wrong_count(unsigned count) {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), count);
}
static __global__ void in_use() {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 1);
    init(address_of(&barrier), 2);
}
static __global__ void misaligned() {
    __shared__ uint64_t barriers[2];
    init(address_of(barriers) + 4, 1);
}
static __global__ void not_shared(uint64_t *barrier) { init(address_of(barrier), 1); }
static __global__ void outside() { init(0x3fff8, 1); }
static __global__ void too_many_arrivals() {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 3);
    arrive(address_of(&barrier), 2);
    arrive(address_of(&barrier), 2);
}
static __global__ void too_many_bytes() {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 1);
    expect(address_of(&barrier), 1000000);
    expect(address_of(&barrier), 48576);
}
static __global__ void bytes_are_left(unsigned expected, unsigned completed) {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 1);
    expect(address_of(&barrier), expected);
    complete(address_of(&barrier), completed);
}
static __global__ void overwritten() {
    __shared__ uint64_t barrier;
    init(address_of(&barrier), 1);
    barrier += 1;
    arrive(address_of(&barrier), 1);
}
static __global__ void wrong_parity() { /* of 64 threads */
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0)
        init(address_of(&barrier), 64);
    __syncthreads();
    for (unsigned round = 0; round < 2; round++) {
        arrive(address_of(&barrier), 1);
        wait_for(address_of(&barrier), round);
    }
    if (threadIdx.x >= 32)
        wait_for(address_of(&barrier), 0); /* the parity of phase 1 is complete */
}
static __global__ void missing_bytes() { /* of 64 threads */
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        init(address_of(&barrier), 2);
        expect(address_of(&barrier), 100);
        arrive(address_of(&barrier), 1);
        complete(address_of(&barrier), 90);
    }
    __syncthreads();
    if (threadIdx.x < 63)
        wait_for(address_of(&barrier), 0); /* for the bytes */
    __syncthreads();                       /* the last thread */
}
static __global__ void unannounced() { /* of 32 threads */
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        init(address_of(&barrier), 1);
        complete(address_of(&barrier), 16);
        arrive(address_of(&barrier), 1);
    }
    __syncthreads();
    wait_for(address_of(&barrier), 0); /* unannounced ones */
}
static __global__ void spins() { /* of 32 threads */
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0)
        init(address_of(&barrier), 1);
    __syncthreads();
    spin_for(address_of(&barrier), 0); /* spinning */
}

/* ---- barriers with numbers, of 128 threads ---- */

static __global__ void wrong_barrier(unsigned number, unsigned threads) {
    sync_threads(number, threads);
}
static __global__ void too_few() {
    if (threadIdx.x < 64)
        sync_threads(1, 96); /* one warp too few */
    __syncthreads();         /* the others */
}
static __global__ void different_numbers() { sync_threads(2, threadIdx.x < 32 ? 64 : 96); }

/* ---- a warp; a warpgroup, of 128 threads ---- */

static __global__ void half_warp(double *p) {
    double d0 = 0, d1 = 0, a = 1, b = 1;
    if (threadIdx.x < 16)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, "
                     "{%0, %1};"
                     : "+d"(d0), "+d"(d1)
                     : "d"(a), "d"(b));
    p[threadIdx.x] = d0;
}

static __global__ void __launch_bounds__(128) gone() {
    if (threadIdx.x == 77)
        return;
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
}
static __global__ void __launch_bounds__(128) apart() {
    if (threadIdx.x < 32)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); /* of warp 0 */
    else
        asm volatile("setmaxnreg.dec.sync.aligned.u32 48;");
}

/* ---- clusters of two blocks, 32 threads each ---- */

static __global__ void __cluster_dims__(2, 1, 1) remote_wait() {
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0)
        init(address_of(&barrier), 1);
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    wait_for(map(address_of(&barrier), 1), 0);
}
static __global__ void __cluster_dims__(2, 1, 1) not_begun() {
    __shared__ int value;
    asm volatile("st.shared::cluster.s32 [%0], 1;" ::"r"(map(address_of(&value), 1)) : "memory");
}
static __global__ void __cluster_dims__(2, 1, 1) has_ended() {
    __shared__ int value;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (blockIdx.x == 0) /* the other one is done first */
        asm volatile("st.shared::cluster.s32 [%0], 2;" ::"r"(map(address_of(&value), 1))
                     : "memory");
}
static __global__ void __cluster_dims__(2, 1, 1) no_such_rank() {
    __shared__ int value;
    map(address_of(&value), 2);
}
static __global__ void __cluster_dims__(2, 1, 1) arrives_twice() {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.arrive;" ::: "memory"); /* once more */
}
static __global__ void __cluster_dims__(2, 1, 1) waits_only() {
    asm volatile("barrier.cluster.wait;" ::: "memory");
}
static __global__ void __cluster_dims__(2, 1, 1) one_arrives() {
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0)
        init(address_of(&barrier), 1);
    __syncwarp();
    if (blockIdx.x == 1)
        wait_for(address_of(&barrier), 0); /* of the other block */
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); /* both */
}
static __global__ void __cluster_dims__(2, 1, 1) in_cluster() {}
static __global__ void __cluster_dims__(16, 1, 1) large_cluster() {}

/* No fault: a loop that is taken for one that polls. */
static __global__ void counts_down(volatile unsigned left) {
    while (left > 0)
        left = left - 1;
}

int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : "";
    uint64_t *p;
    cudaMalloc(&p, 4000);
    int known = 0;
#define FAULT(wanted) if (strcmp(name, wanted) == 0 && (known = 1))
    FAULT("not_initialised") not_initialised<<<1, 1>>>();
    FAULT("invalidated") invalidated<<<1, 1>>>();
    FAULT("count_0") wrong_count<<<1, 1>>>(0);
    FAULT("count_large") wrong_count<<<1, 1>>>(1 << 20);
    FAULT("in_use") in_use<<<1, 1>>>();
    FAULT("misaligned") misaligned<<<1, 1>>>();
    FAULT("not_shared") not_shared<<<1, 1>>>(p);
    FAULT("outside") outside<<<1, 1, 100>>>();
    FAULT("too_many_arrivals") too_many_arrivals<<<1, 1>>>();
    FAULT("too_many_bytes") too_many_bytes<<<1, 1>>>();
    FAULT("expected_bytes_left") bytes_are_left<<<1, 1>>>(100, 99);
    FAULT("unannounced_bytes_left") bytes_are_left<<<1, 1>>>(100, 200);
    FAULT("overwritten") overwritten<<<1, 1>>>();
    FAULT("wrong_parity") wrong_parity<<<1, 64>>>();
    FAULT("missing_bytes") missing_bytes<<<1, 64>>>();
    FAULT("unannounced") unannounced<<<1, 32>>>();
    FAULT("spins") spins<<<1, 32>>>();
    FAULT("barrier_16") wrong_barrier<<<1, 128>>>(16, 128);
    FAULT("threads_40") wrong_barrier<<<1, 128>>>(1, 40);
    FAULT("threads_256") wrong_barrier<<<1, 128>>>(1, 256);
    FAULT("too_few") too_few<<<1, 128>>>();
    FAULT("different_numbers") different_numbers<<<1, 128>>>();
    FAULT("half_warp") half_warp<<<1, 32>>>((double *)p);
    FAULT("gone") gone<<<1, 128>>>();
    FAULT("apart") apart<<<1, 128>>>();
    FAULT("remote_wait") remote_wait<<<2, 32>>>();
    FAULT("not_begun") not_begun<<<2, 32>>>();
    FAULT("has_ended") has_ended<<<2, 32>>>();
    FAULT("no_such_rank") no_such_rank<<<2, 32>>>();
    FAULT("arrives_twice") arrives_twice<<<2, 32>>>();
    FAULT("waits_only") waits_only<<<2, 32>>>();
    FAULT("one_arrives") one_arrives<<<2, 32>>>();
    FAULT("grid_of_3") in_cluster<<<3, 32>>>();
    FAULT("large_cluster") large_cluster<<<16, 32>>>();
    FAULT("counts_down") counts_down<<<1, 1>>>(20000000);
    if (!known) {
        fprintf(stderr, "there is no fault '%s'\n", name);
        return 2;
    }
    const cudaError_t error = cudaGetLastError();
    fprintf(stderr, "%s\n",
            cudaGetErrorString(error != cudaSuccess ? error : cudaDeviceSynchronize()));
    return error != cudaSuccess;
}
