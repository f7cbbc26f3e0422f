/* wgmma.cu - wgmma of every size, with 8-bit integers of all signs, half and bfloat16, factors in
 * every layout that a descriptor can say, and A in registers. */
#include "ptx_test.h"
#include "wgmma_operands.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

enum { ROWS = 64, BYTES = 32 /* along k */, IMAGE_A = 32768, IMAGE = IMAGE_A + 65536 };

typedef struct wgmma_operands {
    uint64_t a, b; /* descriptors, whose addresses count from the image's begin */
    int accumulate;
    uint32_t registers[128][4]; /* of A */
} wgmma_operands;

/* Seven operands come first, so that the sums have the same numbers in every size. */
#define WGMMA(name, size, type, factors)                                                           \
    struct name##_##size {                                                                         \
        enum { n = size };                                                                         \
        typedef type sum;                                                                          \
        static __device__ void multiply(type (&d)[size / 2], uint64_t a, uint64_t b,               \
                                        uint32_t accumulate, uint32_t a0, uint32_t a1,             \
                                        uint32_t a2, uint32_t a3) {                                \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %2, 0;\n"                               \
                         "wgmma.mma_async.sync.aligned.m64n" #size factors(L##size)                \
                         : "+l"(a), "+l"(b), "+r"(accumulate), "+r"(a0), "+r"(a1), "+r"(a2),       \
                           "+r"(a3), O##size);                                                     \
        }                                                                                          \
    };
#define FROM_REGISTERS "{%3, %4, %5, %6}"

#define SUM(x) "+r"(x)
#define S8_S8(sums) "k32.s32.s8.s8 {" sums "}, %0, %1, p;\n}"
#define S8_U8(sums) "k32.s32.s8.u8 {" sums "}, %0, %1, p;\n}"
#define U8_S8(sums) "k32.s32.u8.s8 {" sums "}, %0, %1, p;\n}"
#define U8_U8(sums) "k32.s32.u8.u8 {" sums "}, %0, %1, p;\n}"
#define S8_S8_CLAMPED(sums) "k32.s32.s8.s8.satfinite {" sums "}, %0, %1, p;\n}"
#define S8_S8_REGISTERS(sums) "k32.s32.s8.s8 {" sums "}, " FROM_REGISTERS ", %1, p;\n}"
#define ALL_OF_INTEGERS(name, factors)                                                             \
    WGMMA(name, 8, int, factors)                                                                   \
    WGMMA(name, 16, int, factors)                                                                  \
    WGMMA(name, 24, int, factors)                                                                  \
    WGMMA(name, 32, int, factors)                                                                  \
    WGMMA(name, 48, int, factors)                                                                  \
    WGMMA(name, 64, int, factors)                                                                  \
    WGMMA(name, 80, int, factors)                                                                  \
    WGMMA(name, 96, int, factors)                                                                  \
    WGMMA(name, 112, int, factors)                                                                 \
    WGMMA(name, 128, int, factors)                                                                 \
    WGMMA(name, 144, int, factors)                                                                 \
    WGMMA(name, 160, int, factors)                                                                 \
    WGMMA(name, 176, int, factors)                                                                 \
    WGMMA(name, 192, int, factors)                                                                 \
    WGMMA(name, 208, int, factors)                                                                 \
    WGMMA(name, 224, int, factors)                                                                 \
    WGMMA(name, 240, int, factors)                                                                 \
    WGMMA(name, 256, int, factors)
ALL_OF_INTEGERS(s8_s8, S8_S8)
WGMMA(s8_u8, 64, int, S8_U8)
WGMMA(u8_s8, 64, int, U8_S8)
WGMMA(u8_u8, 128, int, U8_U8)
WGMMA(s8_s8_clamped, 64, int, S8_S8_CLAMPED)
WGMMA(s8_s8_registers, 8, int, S8_S8_REGISTERS)
WGMMA(s8_s8_registers, 128, int, S8_S8_REGISTERS)

#undef SUM
#define SUM(x) "+f"(x)
/* Factors of A and of B, then whether A and B are transposed. */
#define F16(sums) "k16.f32.f16.f16 {" sums "}, %0, %1, p, 1, 1, 0, 0;\n}"
#define F16_A_TRANSPOSED(sums) "k16.f32.f16.f16 {" sums "}, %0, %1, p, -1, 1, 1, 0;\n}"
#define F16_B_TRANSPOSED(sums) "k16.f32.f16.f16 {" sums "}, %0, %1, p, 1, -1, 0, 1;\n}"
#define F16_BOTH_TRANSPOSED(sums) "k16.f32.f16.f16 {" sums "}, %0, %1, p, -1, -1, 1, 1;\n}"
#define F16_REGISTERS(sums) "k16.f32.f16.f16 {" sums "}, " FROM_REGISTERS ", %1, p, 1, 1, 1;\n}"
#define BF16(sums) "k16.f32.bf16.bf16 {" sums "}, %0, %1, p, 1, 1, 0, 0;\n}"
#define BF16_BOTH_TRANSPOSED(sums) "k16.f32.bf16.bf16 {" sums "}, %0, %1, p, 1, 1, 1, 1;\n}"
#define EIGHT_SIZES(name, factors, n0, n1, n2, n3, n4, n5, n6, n7)                                 \
    WGMMA(name, n0, float, factors)                                                                \
    WGMMA(name, n1, float, factors)                                                                \
    WGMMA(name, n2, float, factors)                                                                \
    WGMMA(name, n3, float, factors)                                                                \
    WGMMA(name, n4, float, factors)                                                                \
    WGMMA(name, n5, float, factors)                                                                \
    WGMMA(name, n6, float, factors)                                                                \
    WGMMA(name, n7, float, factors)
EIGHT_SIZES(f16, F16, 8, 16, 24, 32, 40, 48, 56, 64)
EIGHT_SIZES(f16, F16, 72, 80, 88, 96, 104, 112, 120, 128)
EIGHT_SIZES(f16, F16, 136, 144, 152, 160, 168, 176, 184, 192)
EIGHT_SIZES(f16, F16, 200, 208, 216, 224, 232, 240, 248, 256)
WGMMA(f16_a_transposed, 64, float, F16_A_TRANSPOSED)
WGMMA(f16_b_transposed, 64, float, F16_B_TRANSPOSED)
WGMMA(f16_both_transposed, 8, float, F16_BOTH_TRANSPOSED)
WGMMA(f16_both_transposed, 256, float, F16_BOTH_TRANSPOSED)
WGMMA(f16_registers, 64, float, F16_REGISTERS)
WGMMA(bf16, 64, float, BF16)
WGMMA(bf16_both_transposed, 128, float, BF16_BOTH_TRANSPOSED)

/* The image of shared memory, then one product. sums: n / 2 of each of 128 threads. */
template <class op>
static __global__ void __launch_bounds__(128)
    multiply_kernel(const uint4 *image, const wgmma_operands *operands, typename op::sum *sums) {
    extern __shared__ __align__(1024) uint4 shared[];
    const int thread = threadIdx.x;
    for (int i = thread; i < IMAGE / 16; i += 128)
        shared[i] = image[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    typename op::sum d[op::n / 2];
#pragma unroll
    for (int i = 0; i < op::n / 2; i++)
        d[i] = sums[thread * (op::n / 2) + i];
    const uint64_t begin = (uint64_t)__cvta_generic_to_shared(shared) >> 4;
    const uint32_t *const a = operands->registers[thread];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    op::multiply(d, operands->a + begin, operands->b + begin, (uint32_t)operands->accumulate, a[0],
                 a[1], a[2], a[3]);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < op::n / 2; i++)
        sums[thread * (op::n / 2) + i] = d[i];
}

/* How a factor lies in shared memory. width: of the swizzle, 16 is none. */
typedef struct layout {
    int width, transposed;
    size_t leading, stride; /* bytes */
    size_t first;           /* byte along k of a row of the swizzle */
} layout;

/* The PTX manual's figures: a swizzle exchanges segments of 16 bytes within a row of width bytes,
 * in a way that depends on the row's number among 8. */
static size_t swizzled(int width, size_t row, size_t byte) {
    const size_t by = width == 128  ? row % 8
                      : width == 64 ? row / 2 % 4
                      : width == 32 ? row / 4
                                    : 0;
    return (byte / 16 ^ by) * 16 + byte % 16;
}
/* Where byte `byte` of element k of a vector lies. */
static size_t offset_of(const layout *l, size_t vector, size_t k, size_t element, size_t byte) {
    if (!l->transposed) {
        const size_t in_row = l->first + k * element + byte;
        if (l->width == 16)
            return vector / 8 * l->stride + in_row / 16 * l->leading + vector % 8 * 16 +
                   in_row % 16;
        return vector / 8 * l->stride + vector % 8 * (size_t)l->width +
               swizzled(l->width, vector % 8, in_row);
    }
    const size_t in_row = vector * element + byte, width = (size_t)l->width;
    if (l->width == 16)
        return in_row / 16 * l->stride + k / 8 * l->leading + k % 8 * 16 + in_row % 16;
    return in_row / width * l->leading + k / 8 * l->stride + k % 8 * width +
           swizzled(l->width, k % 8, in_row % width);
}
static layout random_layout(int width, int transposed, size_t vectors, size_t element) {
    layout l = {width, transposed, 16, 0, 0};
    const size_t core = (size_t)width * 8, groups = vectors * element / (size_t)width + 1;
    if (!transposed && width == 16) {
        l.leading = 128;
        l.stride = random_bits() % 2 ? 256 : 384;
    } else if (!transposed) { /* patterns begin at multiples of their size */
        l.stride = core * (1 + random_bits() % (width == 128 ? 1 : 2));
        l.first = random_bits() % (unsigned)(width / BYTES) * BYTES;
    } else { /* either direction first; without a swizzle the strides mean the opposite */
        const int k_first = random_bits() % 2;
        const size_t along_k = k_first ? core : core * groups, along = k_first ? 2 * core : core;
        l.leading = width == 16 ? along_k : along;
        l.stride = width == 16 ? along : along_k;
    }
    return l;
}
static uint64_t descriptor_of(const layout *l, size_t begin) {
    const uint64_t mode = l->width == 16 ? 0 : l->width == 128 ? 1 : l->width == 64 ? 2 : 3;
    return (begin + l->first) >> 4 | (uint64_t)(l->leading >> 4) << 16 |
           (uint64_t)(l->stride >> 4) << 32 | mode << 62;
}

enum { INTEGER, HALF, BFLOAT16 };
typedef struct wgmma_case {
    const char *name;
    int kind, a_signed, b_signed, saturate, negate_a, negate_b, transpose_a, transpose_b;
    int registers;
} wgmma_case;

static unsigned char image[IMAGE];
static uint16_t a_bits[ROWS][BYTES], b_bits[256][BYTES];
static wgmma_operands operands;

/* Floats are small integers in every other test: their sums are exact. */
static uint16_t random_element(int kind, int exact) {
    if (kind == INTEGER)
        return (uint16_t)(random_bits() % 256);
    const float value =
        exact ? (float)(random_bits() % 33) - 16 : (float)random_bits() / 2147483648.0f - 1;
    return kind == HALF ? __half_as_ushort(__float2half(value))
                        : __bfloat16_as_ushort(__float2bfloat16(value));
}
static double value_of(int kind, uint16_t bits, int is_signed) {
    if (kind == INTEGER)
        return is_signed ? (int8_t)bits : (uint8_t)bits;
    return kind == HALF ? __half2float(__ushort_as_half(bits))
                        : __bfloat162float(__ushort_as_bfloat16(bits));
}

static void write_operands(const wgmma_case *c, size_t n, int width_a, int width_b, int exact) {
    const size_t element = c->kind == INTEGER ? 1 : 2, depth = BYTES / element;
    memset(image, 0xee, sizeof image);
    const layout a = random_layout(width_a, c->transpose_a, ROWS, element);
    const layout b = random_layout(width_b, c->transpose_b, n, element);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < depth; k++) {
            a_bits[row][k] = random_element(c->kind, exact);
            if (!c->registers)
                for (size_t byte = 0; byte < element; byte++)
                    image[offset_of(&a, row, k, element, byte)] =
                        (unsigned char)(a_bits[row][k] >> 8 * byte);
        }
    for (size_t column = 0; column < n; column++)
        for (size_t k = 0; k < depth; k++) {
            b_bits[column][k] = random_element(c->kind, exact);
            for (size_t byte = 0; byte < element; byte++)
                image[IMAGE_A + offset_of(&b, column, k, element, byte)] =
                    (unsigned char)(b_bits[column][k] >> 8 * byte);
        }
    operands.a = descriptor_of(&a, 0);
    operands.b = descriptor_of(&b, IMAGE_A);
    memset(operands.registers, 0, sizeof operands.registers);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < depth; k++) {
            const size_t byte = k * element, thread = row / 16 * 32 + row % 8 * 4 + byte % 16 / 4;
            operands.registers[thread][row / 8 % 2 + byte / 16 * 2] |= (uint32_t)a_bits[row][k]
                                                                       << byte % 4 * 8;
        }
}

/* One product; adds to *wrong and *largest. */
template <class op>
static void multiply(const wgmma_case *c, int exact, typename op::sum *sums, size_t *wrong,
                     double *largest) {
    typedef typename op::sum sum;
    const size_t n = op::n, depth = c->kind == INTEGER ? BYTES : BYTES / 2;
    sum *before = (sum *)malloc(64 * n * sizeof(sum));
    for (size_t i = 0; i < 64 * n; i++) {
        const int value = (int)random_bits();
        sums[i] = (sum)(c->kind == INTEGER ? value : exact ? value % 1000 : value / 1e9);
        if (c->saturate)
            sums[i] = (sum)(i % 2 ? INT32_MAX - value % 50000 : INT32_MIN + abs(value % 50000));
        before[i] = sums[i];
    }
    void *const d_image = to_device(image, sizeof image),
                *const d_operands = to_device(&operands, sizeof operands),
                *const d_sums = to_device(sums, 64 * n * sizeof(sum));
    CUDA_CHECK(cudaFuncSetAttribute(multiply_kernel<op>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, IMAGE));
    multiply_kernel<op><<<1, 128, IMAGE>>>((const uint4 *)d_image,
                                           (const wgmma_operands *)d_operands, (sum *)d_sums);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(sums, d_sums, 64 * n * sizeof(sum), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_image));
    CUDA_CHECK(cudaFree(d_operands));
    CUDA_CHECK(cudaFree(d_sums));
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < n; column++) {
            const size_t thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2,
                         i = thread * (n / 2) + column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
            double total = operands.accumulate ? before[i] : 0, absolute = fabs(total);
            for (size_t k = 0; k < depth; k++) {
                double term = value_of(c->kind, a_bits[row][k], c->a_signed) *
                              value_of(c->kind, b_bits[column][k], c->b_signed);
                if (c->negate_a != c->negate_b)
                    term = -term;
                total += term;
                absolute += fabs(term);
            }
            if (c->kind == INTEGER) {
                int64_t expected = (int64_t)total;
                if (c->saturate)
                    expected = expected > INT32_MAX   ? INT32_MAX
                               : expected < INT32_MIN ? INT32_MIN
                                                      : expected;
                *wrong += (int)sums[i] != (int)(uint32_t)expected;
                continue;
            }
            *wrong += !((double)sums[i] == total);
            const double error =
                fabs((double)sums[i] - total) / ((double)(depth + 1) * 0x1p-23 * absolute);
            if (!(error <= *largest))
                *largest = error;
        }
    free(before);
}

/* Every layout of A with every one of B. */
template <class op> static void test(const wgmma_case c) {
    typedef typename op::sum sum;
    static const int widths[4] = {16, 32, 64, 128};
    static sum results[16][64 * 256];
    char name[100];
    for (int exact = 1; exact >= (c.kind == INTEGER ? 1 : 0); exact--) {
        size_t wrong = 0;
        double largest = 0;
        memset(results, 0, sizeof results);
        for (int i = 0; i < 16; i++) {
            if (c.registers && i % 4)
                continue;
            write_operands(&c, op::n, widths[i % 4], widths[i / 4], exact);
            operands.accumulate = i % 3 != 0;
            multiply<op>(&c, exact, results[i], &wrong, &largest);
        }
        snprintf(name, sizeof name, "wgmma.m64n%d.%s%s", (int)op::n, c.name,
                 c.kind != INTEGER && exact ? ".exact" : "");
        if (exact)
            report_exact(name, results, sizeof results, wrong);
        else
            report_error(name, largest);
    }
}

int main(void) {
#define INTEGERS(size) test<s8_s8_##size>({"s8.s8", INTEGER, 1, 1, 0, 0, 0, 0, 0, 0})
    INTEGERS(8);
    INTEGERS(16);
    INTEGERS(24);
    INTEGERS(32);
    INTEGERS(48);
    INTEGERS(64);
    INTEGERS(80);
    INTEGERS(96);
    INTEGERS(112);
    INTEGERS(128);
    INTEGERS(144);
    INTEGERS(160);
    INTEGERS(176);
    INTEGERS(192);
    INTEGERS(208);
    INTEGERS(224);
    INTEGERS(240);
    INTEGERS(256);
    test<s8_u8_64>({"s8.u8", INTEGER, 1, 0, 0, 0, 0, 0, 0, 0});
    test<u8_s8_64>({"u8.s8", INTEGER, 0, 1, 0, 0, 0, 0, 0, 0});
    test<u8_u8_128>({"u8.u8", INTEGER, 0, 0, 0, 0, 0, 0, 0, 0});
    test<s8_s8_clamped_64>({"s8.s8.satfinite", INTEGER, 1, 1, 1, 0, 0, 0, 0, 0});
    test<s8_s8_registers_8>({"s8.s8.registers", INTEGER, 1, 1, 0, 0, 0, 0, 0, 1});
    test<s8_s8_registers_128>({"s8.s8.registers", INTEGER, 1, 1, 0, 0, 0, 0, 0, 1});
#define HALVES(size) test<f16_##size>({"f16", HALF, 0, 0, 0, 0, 0, 0, 0, 0})
    HALVES(8);
    HALVES(16);
    HALVES(24);
    HALVES(32);
    HALVES(40);
    HALVES(48);
    HALVES(56);
    HALVES(64);
    HALVES(72);
    HALVES(80);
    HALVES(88);
    HALVES(96);
    HALVES(104);
    HALVES(112);
    HALVES(120);
    HALVES(128);
    HALVES(136);
    HALVES(144);
    HALVES(152);
    HALVES(160);
    HALVES(168);
    HALVES(176);
    HALVES(184);
    HALVES(192);
    HALVES(200);
    HALVES(208);
    HALVES(216);
    HALVES(224);
    HALVES(232);
    HALVES(240);
    HALVES(248);
    HALVES(256);
    test<f16_a_transposed_64>({"f16.a_transposed", HALF, 0, 0, 0, 1, 0, 1, 0, 0});
    test<f16_b_transposed_64>({"f16.b_transposed", HALF, 0, 0, 0, 0, 1, 0, 1, 0});
    test<f16_both_transposed_8>({"f16.both_transposed", HALF, 0, 0, 0, 1, 1, 1, 1, 0});
    test<f16_both_transposed_256>({"f16.both_transposed", HALF, 0, 0, 0, 1, 1, 1, 1, 0});
    test<f16_registers_64>({"f16.registers", HALF, 0, 0, 0, 0, 0, 0, 1, 1});
    test<bf16_64>({"bf16", BFLOAT16, 0, 0, 0, 0, 0, 0, 0, 0});
    test<bf16_both_transposed_128>({"bf16.both_transposed", BFLOAT16, 0, 0, 0, 0, 0, 1, 1, 0});
    return report_end();
}
