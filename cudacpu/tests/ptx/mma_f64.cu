/* mma_f64.cu - mma.sync of f64, of every shape: each element of D is a chain of fma that begins
 * with C and takes the products in the order of k. Operands of all magnitudes, sums that cancel,
 * zeros of both signs, infinities and NaNs; the fragments are those of the figures in the PTX
 * manual. */
#include "ptx_test.h"
#include <math.h>
#include <string.h>

enum { CASES = 64 }; /* of one instruction, a block each */

typedef struct lane_registers {
    double a[8], b[4], c[4], d[4];
} lane_registers;

static __global__ void m8n8k4(lane_registers *lanes) {
    lane_registers *r = &lanes[blockIdx.x * 32 + threadIdx.x];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(r->d[0]), "=d"(r->d[1])
                 : "d"(r->a[0]), "d"(r->b[0]), "d"(r->c[0]), "d"(r->c[1]));
}
/* D is C, as in a loop over k. */
#define M16N8(name, registers, ...)                                                                \
    static __global__ void name(lane_registers *lanes) {                                           \
        lane_registers *r = &lanes[blockIdx.x * 32 + threadIdx.x];                                 \
        double d0 = r->c[0], d1 = r->c[1], d2 = r->c[2], d3 = r->c[3];                             \
        asm("mma.sync.aligned." #name ".row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, " registers      \
            ", {%0, %1, %2, %3};"                                                                  \
            : "+d"(d0), "+d"(d1), "+d"(d2), "+d"(d3)                                               \
            : __VA_ARGS__);                                                                        \
        r->d[0] = d0;                                                                              \
        r->d[1] = d1;                                                                              \
        r->d[2] = d2;                                                                              \
        r->d[3] = d3;                                                                              \
    }
M16N8(m16n8k4, "{%4, %5}, {%6}", "d"(r->a[0]), "d"(r->a[1]), "d"(r->b[0]))
M16N8(m16n8k8, "{%4, %5, %6, %7}, {%8, %9}", "d"(r->a[0]), "d"(r->a[1]), "d"(r->a[2]), "d"(r->a[3]),
      "d"(r->b[0]), "d"(r->b[1]))
M16N8(m16n8k16, "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}", "d"(r->a[0]),
      "d"(r->a[1]), "d"(r->a[2]), "d"(r->a[3]), "d"(r->a[4]), "d"(r->a[5]), "d"(r->a[6]),
      "d"(r->a[7]), "d"(r->b[0]), "d"(r->b[1]), "d"(r->b[2]), "d"(r->b[3]))

static lane_registers lanes[CASES][32];

/* Where the fragments have an element. */
static double a_of(const lane_registers *l, int rows, int row, int k) {
    return l[row % 8 * 4 + k % 4].a[row / 8 + k / 4 * (rows / 8)];
}
static double b_of(const lane_registers *l, int k, int column) {
    return l[column * 4 + k % 4].b[k / 4];
}

/* kind 0: whole numbers; 1: of one magnitude; 2: of all; 3: with zeros, infinities and NaNs. */
static double random_double(int kind) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN};
    const double value = (double)(int32_t)random_bits() + (double)random_bits() / 4294967296.0;
    const uint32_t choice = random_bits();
    return kind == 0                     ? (double)(choice % 33) - 16
           : kind == 1                   ? value
           : kind == 2 || choice % 8 > 0 ? ldexp(value, (int)(choice / 8 % 2040) - 1020)
                                         : special[choice / 8 % 5];
}

static void test(const char *name, void (*kernel)(lane_registers *), int rows, int depth) {
    static double result[CASES][16][8];
    memset(result, 0, sizeof result);
    for (int i = 0; i < CASES; i++)
        for (int lane = 0; lane < 32; lane++) {
            lane_registers *const r = &lanes[i][lane];
            for (int j = 0; j < 8; j++)
                r->a[j] = random_double(i % 4);
            for (int j = 0; j < 4; j++)
                r->b[j] = random_double(i % 4);
            for (int j = 0; j < 4; j++)
                r->c[j] = random_double(i % 4) * (i % 4 == 1 ? -0x1p32 : 1); /* it cancels */
        }
    void *const device = to_device(lanes, sizeof lanes);
    kernel<<<CASES, 32>>>((lane_registers *)device);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(lanes, device, sizeof lanes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device));
    size_t wrong = 0;
    for (int i = 0; i < CASES; i++)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < 8; column++) {
                const lane_registers *const l = lanes[i];
                const lane_registers *const own = &l[row % 8 * 4 + column / 2];
                const int j = row / 8 * 2 + column % 2;
                double sum = own->c[j], got = own->d[j];
                for (int k = 0; k < depth; k++)
                    sum = fma(a_of(l, rows, row, k), b_of(l, k, column), sum);
                if (isnan(sum) && isnan(got)) /* any of its bits */
                    continue;
                wrong += memcmp(&got, &sum, sizeof sum) != 0;
                result[i][row][column] = got;
            }
    report_exact(name, result, sizeof result, wrong);
}

int main(void) {
    test("mma.m8n8k4.f64", m8n8k4, 8, 4);
    test("mma.m16n8k4.f64", m16n8k4, 16, 4);
    test("mma.m16n8k8.f64", m16n8k8, 16, 8);
    test("mma.m16n8k16.f64", m16n8k16, 16, 16);
    return report_end();
}
