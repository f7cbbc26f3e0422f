/* wgmma.h - products that a warpgroup starts and waits for, with both factors in shared memory
 * (PTX: wgmma). Chapter: docs/20_wgmma.md */
#ifndef WGMMA_H
#define WGMMA_H
#include "tile_images.h"
#include <stdint.h>

enum {
    WARPGROUP = 128, /* threads */
    WG_M = 64,       /* rows of C in a warpgroup's product; it has TILE columns */
    WG_K = 32,       /* k in a product */
    SUMS = 64        /* of a product in a thread */
};

/* The matrix descriptor of vectors of a slice: their address and the distance from eight
 * of them to the next eight, both by 16 bytes; 2 is the 64-byte swizzle. */
static __device__ uint64_t make_descriptor(const signed char *vectors) {
    return __cvta_generic_to_shared(vectors) >> 4 | 8ull * BK / 16 << 32 | 2ull << 62;
}

/* Starts sum += A B: 64 x 128 sums of 32 products. Of each eight columns, with g = lane /
 * 4, l = lane % 4 a lane of warp w has columns 2 l and 2 l + 1 of row 16 w + g, then of
 * row 16 w + g + 8. */
static __device__ void start_products(int (&sum)[SUMS], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{ .reg .pred add; setp.ne.b32 add, 1, 0;"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
                 "%58, %59, %60, %61, %62, %63}, %64, %65, add; }"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
#undef R16
#undef R4
}

/* Before the first of a group of products. */
static __device__ void fence_sums() { asm volatile("wgmma.fence.sync.aligned;"); }

/* Ends a group of products. */
static __device__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;"); }

/* Waits for all but the last GROUPS groups. */
template <int GROUPS> static __device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory");
}

/* Waits for all; tells the compiler that the sums change now and not before. */
static __device__ void finish_products(int (&level)[SLICES][SUMS]) {
    wait_for_products<0>();
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++)
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS])::"memory");
}
#endif
