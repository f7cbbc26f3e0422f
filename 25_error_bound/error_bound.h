/* error_bound.h - norms of rows and columns, and the bound that they give for the error
 * of a product of slices. Chapter: docs/25_error_bound.md */
#ifndef ERROR_BOUND_H
#define ERROR_BOUND_H
#include "../18_packed_tiles/packed_tiles.h"

enum { SUB_ROWS = 16 }; /* of a sub-tile, a warp's part of a tile; it has TILE columns */

/* Of X, a scaled row of A or column of B; |.| is its Euclidean norm. */
typedef struct norms {
    float
        rounding; /* |ex|, ex the errors of rounding; infinite if slices cannot hold X */
    float all;    /* at least |X| + |ex| */
    float middle; /* 16 |x1| + |x2| / 32 */
    float low;    /* 16 |x2| */
    float sum;    /* of the magnitudes of all elements, each rounded down to 256 */
} norms;

/* What the norms of a row are made of, sums of integers: exact in any order. */
typedef struct norm_sums {
    unsigned squares[SLICES]; /* of the slices */
    unsigned errors;          /* squares of 256 times the errors of rounding */
    unsigned magnitudes;      /* in units of 256 */
} norm_sums;

/* Slices four elements, a word for each slice; adds them to the sums. */
static __device__ void slice_four(float4 four, double scale, unsigned *words,
                                  norm_sums *sums) {
    const float values[] = {four.x, four.y, four.z, four.w};
    unsigned x[4];
    for (int i = 0; i < 4; i++) {
        const double sum = fma((double)values[i], scale, 0x1.8p52),
                     error = fma((double)values[i], scale, 0x1.8p52 - sum); /* exact */
        sums->errors += (unsigned)__double_as_longlong(fma(error, error, 0x1p36)) +
                        (error != 0); /* rounded up */
        sums->magnitudes += (unsigned)abs((int)__double_as_longlong(sum)) / 256;
        x[i] = slice_element(values[i], scale);
    }
    for (int d = 0; d < SLICES; d++) {
        const int shift = 8 * (SLICES - 1 - d);
        words[d] = (x[0] >> shift & 255) | (x[1] >> shift & 255) << 8 |
                   (x[2] >> shift & 255) << 16 | (x[3] >> shift) << 24;
        sums->squares[d] =
            (unsigned)__dp4a((int)words[d], (int)words[d], (int)sums->squares[d]);
    }
}

/* Adds a thread's sums to those of its block. */
static __device__ void add_sums(norm_sums *sums, const norm_sums &own) {
    for (int d = 0; d < SLICES; d++)
        atomicAdd(&sums->squares[d], own.squares[d]);
    atomicAdd(&sums->errors, own.errors);
    atomicAdd(&sums->magnitudes, own.magnitudes);
}

static __device__ norms find_norms(const norm_sums &sums, bool held) {
    const float x0 = sqrtf((float)sums.squares[0]), x1 = sqrtf((float)sums.squares[1]),
                x2 = sqrtf((float)sums.squares[2]),
                rounding = held ? sqrtf((float)sums.errors) / 256 : INFINITY;
    return {rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32, 16 * x2,
            256 * (float)sums.magnitudes};
}

/* Bounds of the error of an element of X Y: of the part that rounding makes; of all,
 * where three products of slices are left out. */
static __device__ float rounding_bound(const norms &x, const norms &y) {
    return x.rounding * y.all + x.all * y.rounding;
}
static __device__ float error_bound(const norms &x, const norms &y) {
    return rounding_bound(x, y) + x.middle * y.low + x.low * y.middle;
}

/* Whether an error is within 1e-6 of a magnitude; the rest is for the rounding of the
 * element and of the norms. */
static __device__ bool is_within(float error, float magnitude) {
    return error <= 0.85e-6f * magnitude;
}

/* Whether a float holds a value; the largest ones may be an infinity that was rounded. */
static __device__ bool is_finite(float value) { return fabsf(value) < 3e38f; }

/* What is found while a product is computed; all 0 before. */
typedef struct findings {
    unsigned rows, columns; /* of A and of B, that spoil what they are part of */
    unsigned listed; /* sub-tiles of C, 16 x 128 elements, to be computed in double */
    unsigned next;   /* those that get the next products (step 26) */
} findings;

/* Whether rows and columns spoil a third of C; whether all of C is computed in double,
 * which is faster from a third of its sub-tiles on. */
static __host__ __device__ bool is_spoiled(const findings &f, size_t n) {
    return 3 * SUB_ROWS * (size_t)f.rows >= n || 3 * TILE * (size_t)f.columns >= n;
}
static __host__ __device__ bool is_all_double(const findings &f, size_t n) {
    return is_spoiled(f, n) || 3 * (size_t)f.listed >= n * n / (SUB_ROWS * TILE);
}

/* Whether elements with this row or column will be rejected, if its elements meet others
 * at random: its own errors are too large for its mean magnitude; or nearly all of its
 * elements are near 0, and the errors that the others meet are too large. It is a guess,
 * which says what is faster. */
static __device__ bool spoils(const norms &x, size_t n) {
    const float root = sqrtf((float)n);
    return !is_within(x.rounding * root, x.sum) || x.all * root > 12 * x.sum;
}

/* Slices n rows, and in a larger grid n rows of a second matrix, a block for each, and
 * finds their norms. */
template <class layout>
static __global__ void __launch_bounds__(SLICE_THREADS)
    slice_with_norms_kernel(const float *__restrict__ first,
                            const float *__restrict__ second, size_t n,
                            signed char *__restrict__ slices, double *scales,
                            norms *all_norms, unsigned *spoiling_first,
                            unsigned *spoiling_second) {
    __shared__ norm_sums sums;
    cudaTriggerProgrammaticLaunchCompletion(); /* for a launch that is early (step 29) */
    const float *row =
        blockIdx.x < n ? first + blockIdx.x * n : second + (blockIdx.x - n) * n;
    if (threadIdx.x == 0)
        sums = {};
    const double scale = n <= LARGEST_N ? find_row_scale(row, n) : NAN;
    const bool held = !isnan(scale);
    norm_sums own = {};
    for (size_t k = threadIdx.x * 4; k < n; k += SLICE_THREADS * 4) {
        unsigned words[SLICES];
        slice_four(*(const float4 *)&row[k], held ? scale : 0, words, &own);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&slices[layout::offset(blockIdx.x, d, k, n)] = words[d];
    }
    add_sums(&sums, own);
    __syncthreads();
    if (threadIdx.x == 0) {
        const norms found = find_norms(sums, held);
        if (spoils(found, n))
            atomicAdd(blockIdx.x < n ? spoiling_first : spoiling_second, 1);
        all_norms[blockIdx.x] = found;
        scales[blockIdx.x] = scale > 0 ? 256 / scale : 0;
    }
}
#endif
