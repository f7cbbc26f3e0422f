/* mma.cu - mma.sync m16n8: 8-bit integers of all signs, with sums that wrap around and that are
 * clamped; half and bfloat16. The fragments are those of the figures in the PTX manual. */
#include "ptx_test.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

enum { CASES = 64 }; /* of one instruction, a block each */

typedef struct lane_registers {
    uint32_t a[4], b[2], c[4], d[4];
} lane_registers;
typedef void (*mma_kernel)(lane_registers *lanes);

#define MMA_OF_INTEGERS_32(name, types)                                                            \
    static __global__ void name(lane_registers *lanes) {                                           \
        lane_registers *r = &lanes[blockIdx.x * 32 + threadIdx.x];                                 \
        int d0 = (int)r->c[0], d1 = (int)r->c[1], d2 = (int)r->c[2], d3 = (int)r->c[3];            \
        asm("mma.sync.aligned.m16n8k32.row.col." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "     \
            "{%8, %9}, {%0, %1, %2, %3};"                                                          \
            : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3)                                               \
            : "r"(r->a[0]), "r"(r->a[1]), "r"(r->a[2]), "r"(r->a[3]), "r"(r->b[0]), "r"(r->b[1])); \
        r->d[0] = (uint32_t)d0;                                                                    \
        r->d[1] = (uint32_t)d1;                                                                    \
        r->d[2] = (uint32_t)d2;                                                                    \
        r->d[3] = (uint32_t)d3;                                                                    \
    }
MMA_OF_INTEGERS_32(s8_s8_32, "s32.s8.s8.s32")
MMA_OF_INTEGERS_32(s8_u8_32, "s32.s8.u8.s32")
MMA_OF_INTEGERS_32(u8_s8_32, "s32.u8.s8.s32")
MMA_OF_INTEGERS_32(u8_u8_32, "s32.u8.u8.s32")
MMA_OF_INTEGERS_32(s8_s8_32_satfinite, "satfinite.s32.s8.s8.s32")
MMA_OF_INTEGERS_32(u8_s8_32_satfinite, "satfinite.s32.u8.s8.s32")

#define MMA_OF_INTEGERS_16(name, types)                                                            \
    static __global__ void name(lane_registers *lanes) {                                           \
        lane_registers *r = &lanes[blockIdx.x * 32 + threadIdx.x];                                 \
        asm volatile("mma.sync.aligned.m16n8k16.row.col." types " {%0, %1, %2, %3}, {%4, %5}, "    \
                     "{%6}, {%7, %8, %9, %10};"                                                    \
                     : "=r"(r->d[0]), "=r"(r->d[1]), "=r"(r->d[2]), "=r"(r->d[3])                  \
                     : "r"(r->a[0]), "r"(r->a[1]), "r"(r->b[0]), "r"(r->c[0]), "r"(r->c[1]),       \
                       "r"(r->c[2]), "r"(r->c[3]));                                                \
    }
MMA_OF_INTEGERS_16(s8_s8_16, "s32.s8.s8.s32")
MMA_OF_INTEGERS_16(s8_u8_16, "s32.s8.u8.s32")
MMA_OF_INTEGERS_16(u8_s8_16, "s32.u8.s8.s32")
MMA_OF_INTEGERS_16(u8_u8_16_satfinite, "satfinite.s32.u8.u8.s32")

#define MMA_OF_HALVES(name, types)                                                                 \
    static __global__ void name(lane_registers *lanes) {                                           \
        lane_registers *r = &lanes[blockIdx.x * 32 + threadIdx.x];                                 \
        float d0, d1, d2, d3;                                                                      \
        asm volatile("mma.sync.aligned.m16n8k16.row.col." types " {%0, %1, %2, %3}, "              \
                     "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                           \
                     : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)                                      \
                     : "r"(r->a[0]), "r"(r->a[1]), "r"(r->a[2]), "r"(r->a[3]), "r"(r->b[0]),       \
                       "r"(r->b[1]), "f"(__uint_as_float(r->c[0])), "f"(__uint_as_float(r->c[1])), \
                       "f"(__uint_as_float(r->c[2])), "f"(__uint_as_float(r->c[3])));              \
        r->d[0] = __float_as_uint(d0);                                                             \
        r->d[1] = __float_as_uint(d1);                                                             \
        r->d[2] = __float_as_uint(d2);                                                             \
        r->d[3] = __float_as_uint(d3);                                                             \
    }
MMA_OF_HALVES(f16_16, "f32.f16.f16.f32")
MMA_OF_HALVES(bf16_16, "f32.bf16.bf16.f32")

static lane_registers lanes[CASES][32];

static void run(mma_kernel kernel) {
    void *const device = to_device(lanes, sizeof lanes);
    kernel<<<CASES, 32>>>((lane_registers *)device);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(lanes, device, sizeof lanes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device));
}

/* Where the fragments have an element; bits: its size. The lane's register, shifted. */
static uint32_t a_bits(const lane_registers *l, int row, int k, int bits) {
    const int in_word = 32 / bits, half = k / (4 * in_word);
    return l[row % 8 * 4 + k % (4 * in_word) / in_word].a[row / 8 + 2 * half] >> k % in_word * bits;
}
static uint32_t b_bits(const lane_registers *l, int k, int column, int bits) {
    const int in_word = 32 / bits, half = k / (4 * in_word);
    return l[column * 4 + k % (4 * in_word) / in_word].b[half] >> k % in_word * bits;
}
static int c_lane(int row, int column) { return row % 8 * 4 + column / 2; }
static int c_register(int row, int column) { return row / 8 * 2 + column % 2; }

static int integer_of(uint32_t bits, int is_signed) {
    return is_signed ? (int8_t)bits : (uint8_t)bits;
}

static void test_integers(const char *name, mma_kernel kernel, int depth, int a_signed,
                          int b_signed, int saturate) {
    static uint32_t result[CASES][32][4];
    for (int i = 0; i < CASES; i++)
        for (int lane = 0; lane < 32; lane++) {
            lane_registers *const r = &lanes[i][lane];
            for (int j = 0; j < 4; j++) {
                r->a[j] = random_bits();
                r->b[j % 2] = random_bits();
                /* Of sums that leave the range there are enough. */
                r->c[j] = i % 4 == 0   ? random_bits()
                          : i % 4 == 1 ? 0x7fffffffu - random_bits() % 100000
                          : i % 4 == 2 ? 0x80000000u + random_bits() % 100000
                                       : random_bits() % 1000;
                if (i >= CASES - 4) /* the largest sums */
                    r->a[j] = r->b[j % 2] = i % 2 ? 0x80808080 : 0xffffffff;
            }
        }
    run(kernel);
    size_t wrong = 0;
    for (int i = 0; i < CASES; i++)
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++) {
                const lane_registers *const l = lanes[i];
                const int lane = c_lane(row, column), j = c_register(row, column);
                int64_t sum = (int32_t)l[lane].c[j];
                for (int k = 0; k < depth; k++)
                    sum += integer_of(a_bits(l, row, k, 8), a_signed) *
                           integer_of(b_bits(l, k, column, 8), b_signed);
                if (saturate)
                    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
                wrong += l[lane].d[j] != (uint32_t)sum;
                result[i][lane][j] = l[lane].d[j];
            }
    report_exact(name, result, sizeof result, wrong);
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static double value_of(uint32_t bits, int is_bf16) {
    return is_bf16 ? __bfloat162float(__ushort_as_bfloat16((unsigned short)bits))
                   : __half2float(__ushort_as_half((unsigned short)bits));
}
static uint32_t random_half(int is_bf16, int exact) {
    const float value =
        exact ? (float)(random_bits() % 33) - 16
              : ldexpf((float)random_bits() / 2147483648.0f - 1, (int)(random_bits() % 16) - 8);
    return is_bf16 ? __bfloat16_as_ushort(__float2bfloat16(value))
                   : __half_as_ushort(__float2half(value));
}

/* Small integers have exact sums; of others the error is compared with the bound, (k + 1) 2^-23
 * times the sum of the absolute terms. */
static void test_halves(const char *name, mma_kernel kernel, int is_bf16, int exact) {
    enum { DEPTH = 16 };
    static uint32_t result[CASES][32][4];
    for (int i = 0; i < CASES; i++)
        for (int lane = 0; lane < 32; lane++) {
            lane_registers *const r = &lanes[i][lane];
            for (int j = 0; j < 4; j++) {
                r->a[j] = random_half(is_bf16, exact) | random_half(is_bf16, exact) << 16;
                r->b[j % 2] = random_half(is_bf16, exact) | random_half(is_bf16, exact) << 16;
                const float c = exact ? (float)(random_bits() % 1000)
                                      : (float)random_bits() / 1e9f * (i % 2 ? 1 : -1);
                memcpy(&r->c[j], &c, sizeof c);
            }
        }
    run(kernel);
    size_t wrong = 0;
    double largest = 0;
    for (int i = 0; i < CASES; i++)
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++) {
                const lane_registers *const l = lanes[i];
                const int lane = c_lane(row, column), j = c_register(row, column);
                double sum = float_of(l[lane].c[j]), absolute = fabs(sum);
                for (int k = 0; k < DEPTH; k++) {
                    const double term = value_of(a_bits(l, row, k, 16), is_bf16) *
                                        value_of(b_bits(l, k, column, 16), is_bf16);
                    sum += term;
                    absolute += fabs(term);
                }
                const double got = float_of(l[lane].d[j]),
                             error = fabs(got - sum) / ((DEPTH + 1) * 0x1p-23 * absolute);
                if (!(error <= largest))
                    largest = error;
                wrong += !(got == sum);
                result[i][lane][j] = l[lane].d[j];
            }
    if (exact)
        report_exact(name, result, sizeof result, wrong);
    else
        report_error(name, largest);
}

int main(void) {
    test_integers("mma.m16n8k32.s8.s8", s8_s8_32, 32, 1, 1, 0);
    test_integers("mma.m16n8k32.s8.u8", s8_u8_32, 32, 1, 0, 0);
    test_integers("mma.m16n8k32.u8.s8", u8_s8_32, 32, 0, 1, 0);
    test_integers("mma.m16n8k32.u8.u8", u8_u8_32, 32, 0, 0, 0);
    test_integers("mma.m16n8k32.satfinite.s8.s8", s8_s8_32_satfinite, 32, 1, 1, 1);
    test_integers("mma.m16n8k32.satfinite.u8.s8", u8_s8_32_satfinite, 32, 0, 1, 1);
    test_integers("mma.m16n8k16.s8.s8", s8_s8_16, 16, 1, 1, 0);
    test_integers("mma.m16n8k16.s8.u8", s8_u8_16, 16, 1, 0, 0);
    test_integers("mma.m16n8k16.u8.s8", u8_s8_16, 16, 0, 1, 0);
    test_integers("mma.m16n8k16.satfinite.u8.u8", u8_u8_16_satfinite, 16, 0, 0, 1);
    test_halves("mma.m16n8k16.f16.exact", f16_16, 0, 1);
    test_halves("mma.m16n8k16.bf16.exact", bf16_16, 1, 1);
    test_halves("mma.m16n8k16.f16", f16_16, 0, 0);
    test_halves("mma.m16n8k16.bf16", bf16_16, 1, 0);
    return report_end();
}
