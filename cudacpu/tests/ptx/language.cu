/* language.cu - inline PTX as a language: operands, registers, scopes, labels, predicates, and the
 * small instructions around the large ones. Prints each wrong value; exits 1 when there is one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

enum kind { ONE, TWO };
struct pair {
    int first, second;
};

/* Labels and registers of the same names, in a function that is inlined everywhere. */
static __device__ __forceinline__ uint32_t count_down(uint32_t from) {
    uint32_t rounds = 0;
    asm volatile("{\n"
                 "  .reg .pred P1;\n"
                 "  .reg .b32 left;\n"
                 "  mov.b32 left, %1;\n"
                 "AGAIN: // a label\n"
                 "  setp.eq.u32 P1, left, 0;\n"
                 "  @P1 bra DONE;\n"
                 "  sub.u32 left, left, 1; /* two in one line */ add.u32 %0, %0, 1;\n"
                 "  bra.uni AGAIN;\n"
                 "DONE:\n"
                 "}"
                 : "+r"(rounds)
                 : "r"(from));
    return rounds;
}

template <class T, int N> static __device__ T add_constant(T value) {
    static_assert(sizeof(T) == 4, "\"r\" takes 4 bytes");
    asm("add.s32 %0, %1, %2;" : "=r"(value) : "r"(value), "n"(N));
    return value;
}

#define ADD(to, a, b) asm("add.u32 %0, %1, %2;" : "=r"(to) : "r"(a), "r"(b))

/* An expression of an operand is evaluated once, from the first to the last. */
static __device__ int next(int *calls, int factor) { return ++*calls * factor; }

static __device__ int test_operands(uint32_t *result) {
    uint32_t *const start = result;
    int calls = 0, sum = 0;
    uint32_t array[4] = {0, 0, 0, 0}, *p = array;
    pair two = {5, 6};
    ADD(*p++, 3, 4);
    *result++ = array[0];              /* 7 */
    *result++ = (uint32_t)(p - array); /* 1 */
    asm("mad.lo.s32 %0, %1, %2, %3;"
        : "=r"(sum)
        : "r"(next(&calls, 100)), "r"(next(&calls, 10)), "r"(next(&calls, 1)));
    *result++ = (uint32_t)sum; /* 100 * 20 + 3 */
    if (calls == 3)
        ADD(array[1], array[0], 1);
    else
        ADD(array[1], array[0], 2);
    *result++ = array[1]; /* 8 */
    if (calls != 3)
        ADD(array[2], 1, 1);
    *result++ = array[2]; /* 0 */
    asm("add.s32 %0, %0, %1;" : "+r"(two.first) : "r"(two.second));
    *result++ = (uint32_t)two.first; /* 11 */
    *result++ = (uint32_t)add_constant<int, -3>(10);
    *result++ = add_constant<unsigned, 3>(10);
    const auto twice = [&](uint32_t x) {
        uint32_t y;
        asm(R"(shl.b32 %0,
               %1, 1;)"
            : "=r"(y)
            : "r"(x));
        return y;
    };
    *result++ = twice(21);
    enum kind kind = TWO;
    unsigned short narrow = 7;
    asm __volatile__ inline("add.u16 %0, %0, %1;" : "+h"(narrow) : "h"((short)-8));
    asm inline __volatile__("add.u32 %0, %1, 0x10;" : "=r"(sum) : "r"(kind));
    *result++ = narrow; /* 65535 */
    *result++ = (uint32_t)sum;
    uint64_t address;
    asm("mov.u64 %0, %1;" : "=l"(address) : "l"(array));
    *result++ = address == (uint64_t)array;
    float f = 1.5f;
    double d = 2;
    asm("{.reg .f32 half; mov.f32 half, 0f3F000000; fma.rn.f32 %0, %0, half, 0.25;}" : "+f"(f));
    asm("add.rn.f64 %0, %0, 0d3FF0000000000000;" : "+d"(d));
    *result++ = __float_as_uint(f); /* 1 */
    *result++ = (uint32_t)d;        /* 3 */
    return (int)(result - start);
}

static __device__ int test_control(uint32_t *result, int zero) {
    uint32_t *const start = result;
    *result++ = count_down(3) * 100 + count_down(4) * 10 + count_down((uint32_t)zero);
    for (int i = 0; i < 2; i++) { /* predicates on any instruction */
        uint32_t r = 9;
        asm("{.reg .pred p, q; setp.ne.s32 p, %1, 0; not.pred q, p; @p mov.b32 %0, 1;\n"
            "@!p mov.b32 %0, 2; @q add.u32 %0, %0, 10; }"
            : "+r"(r)
            : "r"(i));
        *result++ = r; /* 12, 1 */
    }
    uint32_t r = 0; /* inner scopes hide outer names */
    asm("{ .reg .b32 x; mov.b32 x, 5; { .reg .b32 x; mov.b32 x, 6; add.u32 %0, %0, x; }\n"
        "  add.u32 %0, %0, x; }"
        : "+r"(r));
    *result++ = r; /* 11 */
    asm("{ .reg.b32 r<4>; mov.b32 r0, 1; add.u32 r1, r0, r0; add.u32 r2, r1, r1;\n"
        "  add.u32 r3, r2, r1; mov.b32 %0, r3; }"
        : "=r"(r));
    *result++ = r; /* 6 */
    asm("{ .reg .b32 %%rx; mov.b32 %%rx, %1; bra SKIP; mov.b32 %%rx, 0; SKIP: mov.b32 %0, %%rx; }"
        : "=r"(r)
        : "r"(zero + 77));
    *result++ = r;
    asm("{ .reg .pred p; L%=: add.u32 %0, %0, 1; setp.lt.u32 p, %0, 80; @p bra L%=; }" : "+r"(r));
    *result++ = r; /* 80 */
    asm("{ .reg .pred p, q; setp.gt.s32 p, %1, -1; setp.hi.u32 q, %1, -2; xor.pred p, p, q;\n"
        "  and.pred q, p, q; or.pred p, p, q; selp.b32 %0, 3, 4, p; }"
        : "=r"(r)
        : "r"(zero));
    *result++ = r; /* 3 */
    return (int)(result - start);
}

static __device__ int test_arithmetic(uint32_t *result, int minus) {
    uint32_t *const start = result;
    uint32_t r, high;
    uint64_t wide;
    asm("min.s32 %0, %1, 2;" : "=r"(r) : "r"(minus));
    *result++ = r;
    asm("max.u32 %0, %1, 2;" : "=r"(r) : "r"(minus));
    *result++ = r;
    asm("shr.s32 %0, %1, 40;" : "=r"(r) : "r"(minus * 64));
    *result++ = r; /* all ones: a shift stops at 31 */
    asm("shr.u32 %0, %1, 32;" : "=r"(r) : "r"(minus));
    *result++ = r; /* 0 */
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(minus), "r"(33));
    *result++ = r; /* 0 */
    asm("shr.b32 %0, %1, 28;" : "=r"(r) : "r"(minus));
    *result++ = r; /* 15 */
    asm("mul.lo.u64 %0, %1, %2;" : "=l"(wide) : "l"(0x100000001ull), "l"(7ull));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(r), "=r"(high) : "l"(wide));
    *result++ = r * 10 + high; /* 77 */
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(high), "r"(r + 1));
    *result++ = (uint32_t)(wide >> 32) * 10 + (uint32_t)wide; /* 87 */
    asm("cvt.s64.s32 %0, %1;" : "=l"(wide) : "r"(minus));
    *result++ = (uint32_t)(wide >> 32); /* all ones */
    asm("cvt.u64.u32 %0, %1;" : "=l"(wide) : "r"(minus));
    *result++ = (uint32_t)(wide >> 32); /* 0 */
    asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(0x1280));
    *result++ = r; /* -128 */
    asm("cvt.u8.u32 %0, %1;" : "=r"(r) : "r"(0x1280));
    *result++ = r; /* 128 */
    asm("prmt.b32 %0, %1, %2, 0x9410;" : "=r"(r) : "r"(0x83828180), "r"(0x13121110));
    *result++ = r; /* 0xff108180 */
    asm("{.reg .b32 t; not.b32 t, %1; and.b32 t, t, 0xff; or.b32 t, t, 0x100; xor.b32 %0, t, 1;}"
        : "=r"(r)
        : "r"(0x0f));
    *result++ = r; /* 0x1f1 */
    return (int)(result - start);
}

static __device__ int test_memory(uint32_t *result, uint32_t *memory) {
    uint32_t *const start = result;
    uint32_t a, b, c, d;
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(memory), "r"(1), "r"(2), "r"(3),
                 "r"(0xfffffff4));
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(memory));
    *result++ = a;
    *result++ = b;
    asm volatile("ld.global.s8 %0, [%1 + 12];" : "=r"(a) : "l"(memory));
    asm volatile("ld.u8 %0, [%1 + 12];" : "=r"(b) : "l"(memory));
    *result++ = a; /* -12 */
    *result++ = b; /* 0xf4 */
    asm volatile("st.global.u16 [%0 + -2], %1;" ::"l"(memory + 1), "h"((unsigned short)5));
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(a) : "l"(memory));
    *result++ = a; /* 0x50001 */
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(memory));
    *result++ = (b * 10 + c) * (d == 0xfffffff4); /* 23 */
    asm volatile("{.reg .pred p; setp.ne.b32 p, %1, 0; @p st.global.u32 [%0], 8;}" ::"l"(memory),
                 "r"(0));
    asm volatile("{.reg .pred p; setp.ne.b32 p, %1, 0; @p st.global.u32 [%0+4], 8;}" ::"l"(memory),
                 "r"(1));
    *result++ = memory[0]; /* 0x50001 */
    *result++ = memory[1]; /* 8 */
    return (int)(result - start);
}

static __device__ int test_registers(uint32_t *result) {
    uint32_t *const start = result;
    uint32_t thread, block, size, lane, warp, below;
    asm("mov.u32 %0, %tid.x;" : "=r"(thread));
    asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%ntid.x;" : "=r"(block), "=r"(size));
    asm("mov.u32 %0, %laneid; mov.u32 %1, %warpid;" : "=r"(lane), "=r"(warp));
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(below));
    *result++ = thread * 1000 + block * 100 + (size == 64);
    *result++ = lane * 100 + warp;
    *result++ = below;
    return (int)(result - start);
}

/* Functions with PTX that call themselves, or one defined later, or are called by address. */
static __device__ uint32_t sum_up(uint32_t n) {
    uint32_t sum = n;
    if (n > 0)
        asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(n), "r"(sum_up(n - 1)));
    return sum;
}
static __device__ uint32_t add_three(uint32_t n);
static __device__ uint32_t add_four(uint32_t n) {
    asm("add.u32 %0, %0, 1;" : "+r"(n));
    return add_three(n);
}
static __device__ uint32_t add_three(uint32_t n) {
    asm("add.u32 %0, %0, 3;" : "+r"(n));
    return n;
}
__device__ uint32_t add_seven(uint32_t n) {
    asm("add.u32 %0, %0, 7;" : "+r"(n));
    return n;
}
template <class T, bool wide = (sizeof(T) > 4)> static __device__ T add_width(T n) {
    asm("add.u32 %0, %0, %1;" : "+r"(n) : "n"(wide ? 8 : 4));
    return n;
}
template <class T> static __device__ T twice(T n) { return (T)(add_seven(n) + add_seven(n)); }
inline __device__ uint32_t *step_over(uint32_t *p) {
    asm("add.u64 %0, %0, 4;" : "+l"(p));
    return p;
}
struct counter {
    uint32_t count;
    __device__ void add(uint32_t n) { asm("add.u32 %0, %0, %1;" : "+r"(count) : "r"(n)); }
};

static __device__ int test_functions(uint32_t *result) {
    uint32_t *const start = result;
    uint32_t (*const through)(uint32_t) = result ? add_seven : add_four;
    counter c = {5};
    c.add(6);
    *result++ = sum_up(10);     /* 55 */
    *result++ = add_four(196);  /* 200 */
    *result++ = through(1);     /* 8 */
    *result++ = twice<int>(10); /* 34 */
    *result = c.count;          /* 11 */
    result = step_over(result);
    auto local = [](uint32_t n) {
        asm("add.u32 %0, %0, 9;" : "+r"(n));
        return n;
    };
    *result++ = local(1);       /* 10 */
    *result++ = add_width(10u); /* 14 */
    return (int)(result - start);
}

/* Of the last thread of the last block. */
__global__ void test(uint32_t *result, uint32_t *memory, int zero) {
    if (blockIdx.x != 1 || threadIdx.x != 63)
        return;
    result += test_operands(result);
    result += test_control(result, zero);
    result += test_arithmetic(result, zero - 1);
    result += test_memory(result, memory);
    result += test_registers(result);
    result += test_functions(result);
    *result = 0xe4d;
}

static const uint32_t EXPECTED[] = {
    7,     1,          2003,       8,    0,          11,    7,       13,
    42,    65535,      17,         1,    0x3f800000, 3,                 /* operands */
    340,   12,         1,          11,   6,          77,    80,      3, /* control */
    ~0u,   ~0u,        ~0u,        0,    0,          15,    77,      87,
    ~0u,   0,          -128u,      128,  0xff108180, 0x1f1,             /* arithmetic */
    3,     0xfffffff4, -12u,       0xf4, 0x50001,    23,    0x50001, 8, /* memory */
    63101, 3101,       0x7fffffff,                                      /* registers */
    55,    200,        8,          34,   11,         10,    14,         /* functions */
    0xe4d};

int main() {
    enum { COUNT = sizeof EXPECTED / sizeof *EXPECTED };
    uint32_t *result, *memory, got[COUNT];
    cudaMalloc(&result, (COUNT + 100) * sizeof *result);
    cudaMalloc(&memory, 64);
    cudaMemset(result, 0, (COUNT + 100) * sizeof *result);
    test<<<2, 64>>>(result, memory, 0);
    const cudaError_t error = cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "language: %s\n", cudaGetErrorString(error));
        return 1;
    }
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        if (got[i] != EXPECTED[i]) {
            wrong = 1;
            fprintf(stderr, "language: value %d is %#x, not %#x\n", i, got[i], EXPECTED[i]);
        }
    if (!wrong)
        printf("language: %d values as expected\n", COUNT);
    return wrong;
}
