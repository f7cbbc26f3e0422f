/* wgmma_groups.cu - products of a warpgroup in groups: which are done after wgmma.wait_group N,
 * with operands that change from stage to stage. The arithmetic itself is tested in wgmma.cu.
 *
 *     wgmma_groups
 *
 * Prints a line for each case; status 1 with a sentence when one is wrong. Needs sm_90a. */
#include <stdint.h>
#include <stdio.h>

enum { GROUP = 128, WARPGROUPS = 2, A_BYTES = 64 * 32, B_BYTES = 8 * 32, STAGES = 4 };

static __device__ uint64_t descriptor(const void *tile) {
    return (uint64_t)((unsigned)__cvta_generic_to_shared(tile) >> 4) | (uint64_t)8 << 16 |
           (uint64_t)16 << 32;
}
static __device__ void fill(signed char *tile, int bytes, int value) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        tile[i] = (signed char)value;
}
static __device__ void multiply(int (&sum)[4], const void *a, const void *b, int add) {
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %6, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "
                 "{%0, %1, %2, %3}, %4, %5, add;\n}"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "l"(descriptor(a)), "l"(descriptor(b)), "r"(add));
}
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

/* Stage s has 2^s in A, 1 in B: each element of its product is 32 * 2^s. out: what is there after
 * waiting for all groups but 2, 1 and none. */
static __global__ void groups(int *out) {
    __shared__ __align__(128) signed char a[STAGES][A_BYTES], b[B_BYTES];
    for (int s = 0; s < STAGES; s++)
        fill(a[s], A_BYTES, 1 << s);
    fill(b, B_BYTES, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    int first[4] = {5, 5, 5, 5}, second[4] = {}, both[4] = {};
    FENCE();
    multiply(first, a[0], b, 0); /* does not add */
    COMMIT();
    multiply(second, a[1], b, 1);
    multiply(second, a[2], b, 1); /* two of one group */
    COMMIT();
    multiply(both, a[0], b, 1);
    multiply(both, a[3], b, 1);
    COMMIT();
    WAIT(2);
    int result = first[0] + first[3];
    WAIT(1);
    result = result * 1000 + second[1];
    WAIT(0);
    out[threadIdx.x] = result * 1000 + both[2];
}

/* Both warpgroups multiply, a stage behind what they wait for; the sum of all stages. */
static __global__ void one_behind(int *out) {
    __shared__ __align__(128) signed char a[2][A_BYTES], b[B_BYTES];
    fill(b, B_BYTES, 1);
    int sum[4] = {};
    for (int t = 0; t < 6; t++) {
        fill(a[t % 2], A_BYTES, t + 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        FENCE();
        multiply(sum, a[t % 2], b, 1);
        COMMIT();
        WAIT(1); /* the stage before is free */
        __syncthreads();
    }
    WAIT(0);
    out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

int main() {
    int *device_out, got[GROUP * WARPGROUPS], wrong = 0;
    cudaMalloc(&device_out, sizeof got);
#define RUN(kernel, threads, wanted)                                                               \
    cudaMemset(device_out, 0, sizeof got);                                                         \
    kernel<<<1, threads>>>(device_out);                                                            \
    if (cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) {          \
        printf("%s: the launch failed\n", #kernel);                                                \
        return 1;                                                                                  \
    }                                                                                              \
    {                                                                                              \
        int bad = 0;                                                                               \
        for (int i = threads - 1; i >= 0; i--)                                                     \
            if (got[i] != (wanted))                                                                \
                bad = i + 1;                                                                       \
        if (bad)                                                                                   \
            printf("%s: thread %d has %d, not %d\n", #kernel, bad - 1, got[bad - 1], wanted);      \
        else                                                                                       \
            printf("%s: ok\n", #kernel);                                                           \
        wrong |= bad != 0;                                                                         \
    }
    RUN(groups, GROUP, (64 * 1000 + 192) * 1000 + 288)
    RUN(one_behind, GROUP * WARPGROUPS, 4 * 32 * 21)
    cudaFree(device_out);
    return wrong;
}
