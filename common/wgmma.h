/* wgmma.h - products that a warpgroup of 128 threads starts and waits for, with both factors in
 * shared memory (PTX: wgmma). Chapter: docs/19_wgmma.md */
#ifndef WGMMA_H
#define WGMMA_H
#include "bulk_copy.h"

enum {
    WARPGROUP = 128, /* threads */
    WG_M = 64,       /* rows of C in a warpgroup's product */
    WG_K = 32,       /* k in a product */
    SUMS = 64        /* a thread's part of 64 x 128 sums */
};

/* The matrix descriptor of vectors of a slice in shared memory: in units of 16 bytes their address,
 * and the distance from 8 vectors to the next 8; 2 is the 64-byte swizzle. The address begins
 * with a vector whose number is a multiple of 8, and may be moved by bytes / 16. */
static __device__ uint64_t make_descriptor(const void *vectors) {
    return shared_address(vectors) >> 4 | (uint64_t)(8 * BK >> 4) << 32 | (uint64_t)2 << 62;
}

/* Before the first product after the registers of sums were written. */
static __device__ void fence_sums() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/* Starts sum += A B, 64 x 128 sums of 32 products each. Thread t of the warpgroup holds rows
 * t / 32 * 16 + t % 32 / 4 and 8 below; sum[4 j], [4 j + 1] are of the first row, columns
 * 8 j + t % 4 * 2 and the next, sum[4 j + 2], [4 j + 3] of the second row. */
static __device__ void start_products(int (&sum)[SUMS], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "%64, %65, add;\n}"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
#undef R16
#undef R4
}

/* The products that were started become a group. */
static __device__ void commit_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits for all but the newest GROUPS groups of products. */
template <int GROUPS> static __device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory");
}

/* Waits for all products; only then may a thread read its sums. The compiler knows nothing of
 * that: it is told that the wait changes them. */
static __device__ void finish_products(int (&level)[SLICES][SUMS]) {
    wait_for_products<0>();
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++)
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS])::"memory");
}
#endif
