/* wgmma.h - products that a warpgroup starts and waits for, of operands in shared memory
 * (PTX: wgmma). Chapter: docs/20_wgmma.md */
#ifndef WGMMA_H
#define WGMMA_H
#include "../18_packed_tiles/packed_tiles.h"
#include <stdint.h>

enum {
    WARPGROUP = 128,  /* threads */
    WG_M = 64,        /* rows of C in a warpgroup's product; it has TILE columns */
    WG_K = 32,        /* k in a product */
    ACCUMULATORS = 64 /* of a product in a thread */
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
} stage;

/* The matrix descriptor of rows or columns of a slice: where they begin, and what lies
 * between; both in units of 16 bytes. */
static __device__ uint64_t make_descriptor(const signed char *slices) {
    const uint64_t address = __cvta_generic_to_shared(slices) / 16, /* bits 0 to 13 */
        stride = 8 * BK / 16, /* bits 32 to 45: from eight rows to the next eight */
        swizzle_64_bytes = 2; /* bits 62 and 63 */
    return address | stride << 32 | swizzle_64_bytes << 62;
}

/* Starts sum += A B: 64 x 128 sums of 32 products. Of each eight columns, with g = lane /
 * 4, l = lane % 4 a lane of warp w has columns 2 l and 2 l + 1 of row 16 w + g, then of
 * row 16 w + g + 8. */
static __device__ void start_products(int (&sum)[ACCUMULATORS], uint64_t a, uint64_t b) {
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

/* Sets the accumulators to 0; tells the compiler that they change now and not later. */
static __device__ void clear(int (&sum)[SLICES][ACCUMULATORS]) {
#pragma unroll
    for (int i = 0; i < SLICES * ACCUMULATORS; i++) {
        sum[i / ACCUMULATORS][i % ACCUMULATORS] = 0;
        asm volatile("" : "+r"(sum[i / ACCUMULATORS][i % ACCUMULATORS])::"memory");
    }
}

/* Starts what a warpgroup has to do for a stage: all products of slices whose numbers
 * add up to at most two. a: its rows of A's tile; b: B's tile. */
static __device__ void start_stage(int (&sum)[SLICES][ACCUMULATORS], const signed char *a,
                                   const signed char *b) {
    const uint64_t from_a = make_descriptor(a), from_b = make_descriptor(b);
    asm volatile("wgmma.fence.sync.aligned;"); /* the accumulators are set */
#pragma unroll
    for (int l = 0; l < BK; l += WG_K)
#pragma unroll
        for (int d = 0; d < SLICES; d++)
#pragma unroll
            for (int e = 0; d + e < SLICES; e++)
                start_products(sum[d + e], from_a + (d * SLICE_BYTES + l) / 16,
                               from_b + (e * SLICE_BYTES + l) / 16);
    asm volatile("wgmma.commit_group.sync.aligned;"); /* a group of products */
}

/* Waits for all but the last GROUPS groups. */
template <int GROUPS> static __device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory");
}

/* Waits for all; tells the compiler that the accumulators change now and not before. */
static __device__ void finish_products(int (&sum)[SLICES][ACCUMULATORS]) {
    wait_for_products<0>();
#pragma unroll
    for (int i = 0; i < SLICES * ACCUMULATORS; i++)
        asm volatile("" : "+r"(sum[i / ACCUMULATORS][i % ACCUMULATORS])::"memory");
}

/* Stores a warpgroup's accumulators, of the tile of C at this row and column. The scales
 * of the tile's columns are loaded at once, four by each lane, which the others ask for
 * them. */
[[maybe_unused]] static __device__ void store(const sliced_operands &o, size_t row,
                                              size_t column,
                                              const int (&sum)[SLICES][ACCUMULATORS]) {
    const unsigned lane = threadIdx.x % 32;
    const double2 *scales = (const double2 *)&o.scale_b[column],
                  own[] = {scales[lane], scales[lane + 32]};
    row += threadIdx.x / 32 * 16 + lane / 4;
    const double scale_a[] = {o.scale_a[row], o.scale_a[row + 8]};
    float *c = o.c + row * o.n + column + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i += 4) {
        const int from =
            i % 32 + (int)lane % 4; /* has columns 2 i + lane % 4 * 2 and next */
        const double x = __shfl_sync(~0u, own[i / 32].x, from),
                     y = __shfl_sync(~0u, own[i / 32].y, from);
        for (int j = 0; j < 2; j++)
            *(float2 *)&c[2 * i + 8 * j * o.n] =
                make_float2(dequantize(sum[0][i + 2 * j], sum[1][i + 2 * j],
                                       sum[2][i + 2 * j], scale_a[j], x),
                            dequantize(sum[0][i + 2 * j + 1], sum[1][i + 2 * j + 1],
                                       sum[2][i + 2 * j + 1], scale_a[j], y));
    }
}
#endif
