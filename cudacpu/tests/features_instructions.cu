/* features_instructions.cu - mma.sync of halves, tf32 and f64, calls that programs use now and
 * then, fences without an instruction. */
#include "device_words.h"
#include <math.h>
#include <stdint.h>

/* A is 16 x k of small numbers, B k x 8: sums are exact in every type. */
static __device__ float of_a(int row, int k) { return (float)((row * 3 + k * 5) % 7 - 3); }
static __device__ float of_b(int k, int column) { return (float)((k * 2 + column) % 5 - 2); }
static __device__ unsigned pair(float low, float high) {
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
static __global__ void multiply_tiles(int *p) {
    const int lane = (int)threadIdx.x, group = lane / 4, place = lane % 4;
    unsigned a[4], b[2], h[2];
    float d[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const int row = group + i % 2 * 8, k = place * 2 + i / 2 * 8;
        a[i] = pair(of_a(row, k), of_a(row, k + 1));
    }
    for (int i = 0; i < 2; i++)
        b[i] = pair(of_b(place * 2 + 8 * i, group), of_b(place * 2 + 8 * i + 1, group));
    h[0] = h[1] = pair(1, 1);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, "
                 "{%6, %7}, {%0, %1};"
                 : "+r"(h[0]), "+r"(h[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    bool right = true;
    for (int i = 0; i < 4; i++) {
        float whole = 1, half = 0;
        for (int k = 0; k < 16; k++) {
            const float product = of_a(group + i / 2 * 8, k) * of_b(k, place * 2 + i % 2);
            whole += product;
            half += k < 8 ? product : 0;
        }
        float got;
        asm("cvt.f32.f16 %0, %1;" : "=f"(got) : "h"((unsigned short)(h[i / 2] >> 16 * (i % 2))));
        right = right && got == whole && d[i] == half;
        d[i] = 0;
    }
    for (int i = 0; i < 4; i++)
        a[i] = __float_as_uint(of_a(group + i % 2 * 8, place + i / 2 * 4));
    for (int i = 0; i < 2; i++)
        b[i] = __float_as_uint(of_b(place + 4 * i, group));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += of_a(group + i / 2 * 8, k) * of_b(k, place * 2 + i % 2);
        right = right && d[i] == sum;
    }
    double e[2] = {0x1p53, -0x1p53};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(e[0]), "+d"(e[1])
                 : "d"((double)of_a(group, place)), "d"((double)of_b(place, group)));
    for (int i = 0; i < 2; i++) {
        double sum = i ? -0x1p53 : 0x1p53; /* odd terms are rounded, each for itself */
        for (int k = 0; k < 4; k++)
            sum = fma((double)of_a(group, k), (double)of_b(k, place * 2 + i), sum);
        right = right && e[i] == sum;
    }
    p[lane] = right;
}
/* Header: cuda_runtime.h; covers: `mma.sync` of half with sums of half, of tf32 and of f64. */
static const char *test_tiles() {
    START();
    multiply_tiles<<<1, 32>>>(device_words);
    FINISH();
    for (int lane = 0; lane < 32; lane++)
        EXPECT(words[lane] == 1);
    return NULL;
}

static __constant__ int factors[4];
static __global__ void use_factors(int *p) { p[threadIdx.x] = factors[threadIdx.x]; }
static __global__ void add_vectors(float4 *p) {
    atomicAdd(p, make_float4(1, 2, 3, 4));
    atomicAdd_system((int *)(p + 1), atomicCAS_block((int *)(p + 2), 0, 9) == 0);
}
/* Header: cuda_runtime.h; covers: pools of memory (`cudaMallocFromPoolAsync`, what is set is kept),
 * windows for the cache (without effect), copies and fillings of three dimensions in streams; not:
 * how much of a pool is in use, pools between processes. */
static const char *test_calls() {
    START();
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    const int host[4] = {3, 1, 4, 1};
    OK(cudaMemcpyToSymbolAsync(factors, host, sizeof host));
    use_factors<<<1, 4>>>(device_words);
    add_vectors<<<1, 32>>>((float4 *)(device_words + 4));
    cudaMemPool_t pool, current;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = 1 << 20, got = 0;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaDeviceGetMemPool(&current, 0));
    OK(cudaMemPoolGetAttribute(current, cudaMemPoolAttrReleaseThreshold, &got));
    EXPECT(current == pool && got == threshold);
    int *p;
    OK(cudaMallocFromPoolAsync(&p, 64, pool, stream));
    cudaPitchedPtr box = make_cudaPitchedPtr(p, 16, 16, 2);
    OK(cudaMemset3DAsync(box, 1, make_cudaExtent(8, 2, 2), stream));
    cudaMemcpy3DParms lines = {};
    lines.srcPtr = box;
    lines.dstPtr = make_cudaPitchedPtr(device_words + 100, 16, 16, 2);
    lines.extent = make_cudaExtent(8, 2, 2);
    lines.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3DAsync(&lines, stream));
    OK(cudaFreeAsync(p, stream));
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = device_words;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    OK(cudaCtxResetPersistingL2Cache());
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    FINISH();
    float sums[4];
    memcpy(sums, words + 4, sizeof sums);
    EXPECT(memcmp(words, host, sizeof host) == 0 && sums[0] == 32 && sums[3] == 128);
    EXPECT(words[8] == 1 && words[12] == 9);
    for (int i = 0; i < 16; i++)
        EXPECT(words[100 + i] == (i % 4 < 2 ? 0x01010101 : 0));
    return NULL;
}

/* Fences for the compiler, as CUTLASS has them: asm without an instruction, and with PTX's
 * constraints. */
static __device__ void fence_operand(float &r) { asm volatile("" : "+f"(r)::"memory"); }
static __device__ void fence_operand(double &r) { asm volatile("" : "+d"(r)::"memory"); }
static __device__ void fence_operand(unsigned &r) { asm volatile("" : "+r"(r)::"memory"); }
static __device__ void fence_operand(unsigned long long &r) { asm volatile("" : [r] "+l"(r)); }
static __device__ void fence_operand(unsigned short &r) {
    asm volatile("// no mov.u16\n" : "+h"(r)::"memory");
}
static __global__ void fences(int *p) {
    float f = threadIdx.x, two[2] = {1, 2};
    double d = 1;
    unsigned u = 3;
    unsigned long long l = 4;
    unsigned short h = 5;
    fence_operand(f);
    fence_operand(d);
    fence_operand(u);
    fence_operand(l);
    fence_operand(h);
    asm volatile("// here");
    asm volatile("/* and\n here */" ::: "memory");
    asm volatile("" ::: "memory");
    asm volatile("" ::"f"(f + 1), "l"(p));
    for (int i = 0; i < 2; i++)
        asm volatile("" : "+f"(two[i]));
    p[threadIdx.x] = (int)(f + (float)d + two[1]) + (int)(u + (unsigned)l + h);
}
static const char *test_fences() {
    START();
    fences<<<1, 32>>>(device_words);
    FINISH();
    for (int i = 0; i < 32; i++)
        EXPECT(words[i] == i + 15);
    return NULL;
}

extern "C" const conformance_case instruction_features[] = {
    {"mma.sync of halves, tf32 and f64", test_tiles},
    {"rarer calls", test_calls},
    {"fences without an instruction", test_fences},
    {NULL, NULL}};
