/* ldmatrix.h - what each lane of a warp needs for mma.sync, loaded from shared memory by
 * one instruction (PTX: ldmatrix). Chapter: docs/16_warp_tiles.md */
#ifndef LDMATRIX_H
#define LDMATRIX_H
#include <cuda_runtime.h>

/* Loads four matrices of 8 rows or columns x 16 slices, a word of each into each lane.
 * Lanes 0 to 7 have the addresses of the first one's, lanes 8 to 15 of the second's. */
static __device__ void load_matrices(int *words, const signed char *address) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(address);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
}
#endif
