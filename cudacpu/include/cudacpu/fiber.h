/* fiber.h - a CUDA thread that waits, and the jump from it to the next one: all that a barrier
 * does.
 *
 * It is inlined into the kernel, with every register named as clobbered: the compiler saves those
 * that are in use and no others. The jump goes through a register (a return would be mispredicted
 * each time), nothing waits for anything: so the processor runs ahead into the next threads while
 * this one's sums are still under way. */
#ifndef CUDACPU_FIBER_H
#define CUDACPU_FIBER_H
#include "cudacpu/coordinates.h"
#include "cudacpu/site.h"
#include <cstdint>

#if !defined(CUDACPU_FIBER_SETJMP) && !defined(__x86_64__) && !defined(__aarch64__)
#define CUDACPU_FIBER_SETJMP
#endif
#ifdef CUDACPU_FIBER_SETJMP
#include <setjmp.h>
#include <ucontext.h>
#endif

namespace cudacpu {

#ifdef CUDACPU_FIBER_SETJMP
/* Portable: setjmp between stacks, ucontext to enter a new one. */
struct context {
    jmp_buf registers;
    ucontext_t start;
    bool fresh;
};
#else
struct context {
    void *sp, *frame, *pc,
        *base; /* base: clang's second frame pointer, which it does not let us name as clobbered */
};
#endif

struct warp_tile;

/* What a barrier touches lies in one line of the cache; what a warp's instructions need besides,
 * in the next (meeting.h). */
struct __attribute__((aligned(64))) fiber {
    context saved;
    fiber *next;       /* who goes on when this one waits; the last one's is the worker */
    const site *where; /* it waits */
    uint3 index __attribute__((aligned(16))); /* threadIdx of the CUDA thread that it runs */
    unsigned thread;                          /* and its number in the block */
    struct lane_places {
        warp_tile *tile;
        uint32_t *a, *b; /* the first of this lane's registers in the tile; rows of A of 8 words */
        int32_t *sums;
        unsigned lane, bit;
    } lane __attribute__((aligned(64)));
};

#if defined(__x86_64__) && !defined(CUDACPU_FIBER_SETJMP)
#ifdef __AVX512F__
#define CUDACPU_MORE_REGISTERS                                                                     \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",  \
        "k6", "k7"
#else
#define CUDACPU_MORE_REGISTERS
#endif
__attribute__((always_inline)) inline void switch_to(context *from, context *to) {
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, 0(%0)\n\t"
                     "movq %%rbp, 8(%0)\n\t"
                     "movq %%rax, 16(%0)\n\t"
                     "movq %%rbx, 24(%0)\n\t"
                     "movq 16(%1), %%rax\n\t"
                     "movq 0(%1), %%rsp\n\t"
                     "movq 8(%1), %%rbp\n\t"
                     "movq 24(%1), %%rbx\n\t"
                     "jmp *%%rax\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                       "memory", "cc", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)",
                       "st(7)", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" CUDACPU_MORE_REGISTERS);
}
#undef CUDACPU_MORE_REGISTERS
#elif defined(__aarch64__) && !defined(CUDACPU_FIBER_SETJMP)
#ifdef __ARM_FEATURE_SVE
#define CUDACPU_MORE_REGISTERS                                                                     \
    , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",      \
        "p14", "p15"
#else
#define CUDACPU_MORE_REGISTERS
#endif
__attribute__((always_inline)) inline void switch_to(context *from, context *to) {
    register context *x0 __asm__("x0") = from;
    register context *x1 __asm__("x1") = to;
    __asm__ volatile("adr x2, 1f\n\t"
                     "mov x3, sp\n\t"
                     "stp x3, x29, [x0]\n\t"
                     "stp x2, x19, [x0, #16]\n\t"
                     "ldp x3, x29, [x1]\n\t"
                     "ldp x2, x19, [x1, #16]\n\t"
                     "mov sp, x3\n\t"
                     "br x2\n"
                     "1:"
                     : "+r"(x0), "+r"(x1)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x18", "x20", "x21", "x22", "x23", "x24", "x25",
                       "x26", "x27", "x28", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4",
                       "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
                       "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                       "v27", "v28", "v29", "v30", "v31" CUDACPU_MORE_REGISTERS);
}
#undef CUDACPU_MORE_REGISTERS
#else
void switch_to(context *from, context *to); /* a function: GCC inlines none that calls setjmp */
#endif

} // namespace cudacpu

extern CUDACPU_THREAD cudacpu::fiber *cudacpu_current; /* NULL outside a kernel */

/* Bits of the addresses of the sites at which threads have begun to wait since the last barrier
 * opened: those set in any, those set in all. They are the same where the site is. */
extern CUDACPU_THREAD struct cudacpu_site_bits { uintptr_t any, all; } cudacpu_waiting_at;

namespace cudacpu {

[[noreturn]] void wait_outside_kernel(const site *where);
/* The running thread, which must be one of a kernel. */
__attribute__((always_inline)) inline fiber *find_fiber(const site *where) {
    fiber *f = cudacpu_current;
    if (__builtin_expect(!f, 0))
        wait_outside_kernel(where);
    return f;
}

/* From here on this OS thread runs f's thread. */
__attribute__((always_inline)) inline void set_current(fiber *f) {
    cudacpu_current = f;
    __builtin_memcpy(cudacpu_coordinates_storage, &f->index, sizeof f->index + sizeof f->thread);
}

__attribute__((always_inline)) inline void go_to(fiber *from, fiber *to) {
    set_current(to);
    switch_to(&from->saved, &to->saved);
}

__attribute__((always_inline)) inline void wait_at(const site *where) {
    fiber *from = find_fiber(where);
    from->where = where;
    cudacpu_waiting_at.any |= (uintptr_t)where;
    cudacpu_waiting_at.all &= (uintptr_t)where;
    go_to(from, from->next);
}

} // namespace cudacpu
#endif
