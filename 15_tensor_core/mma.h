/* mma.h - a warp's product on tensor cores (PTX: mma.sync), and where its accumulators
 * go. Chapter: docs/15_tensor_core.md */
#ifndef MMA_H
#define MMA_H
#include "../14_int8_slices/sliced_call.h"

/* Adds 16 rows of A times 8 columns of B, 32 products each. With g = lane / 4, l = lane %
 * 4 a lane holds the words l and l + 4 of rows g and g + 8 of A and of column g of B; its
 * accumulators are of the same rows, columns 2 l and 2 l + 1. */
static __device__ void multiply_add(int *sum, const int *a, const int *b) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
