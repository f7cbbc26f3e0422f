/* warp_products.h - what a warp loads from shared memory and multiplies on tensor cores (PTX:
 * ldmatrix, mma.sync). Chapters: docs/15_tensor_core.md, docs/16_warp_tiles.md */
#ifndef WARP_PRODUCTS_H
#define WARP_PRODUCTS_H
#include <cuda_runtime.h>

/* Loads four matrices of 8 vectors x 16 slices, a word of each into each lane. Lanes 0 to
 * 7 have the addresses of the first one's vectors, lanes 8 to 15 of the second's. */
static __device__ void load_matrices(int *words, const signed char *vector) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(vector);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
}

/* Adds 16 rows of A times 8 columns of B, 32 products each. With g = lane / 4, l = lane %
 * 4 a lane holds the words l and l + 4 of rows g and g + 8 of A and of column g of B; its
 * sums are of the same rows, columns 2 l and 2 l + 1. */
static __device__ void multiply_add(int *sum, const int *a, const int *b) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
