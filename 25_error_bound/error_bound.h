/* error_bound.h - norms of rows and columns, and the bound that they give for the error
 * of a product of slices. Chapter: docs/25_error_bound.md */
#ifndef ERROR_BOUND_H
#define ERROR_BOUND_H
#include "../21_warp_specialized/pipeline.h"
#include <cuda_pipeline.h>

/* Of X, a scaled row of A or column of B; |.| is its Euclidean norm. */
typedef struct norms {
    /* |ex|, ex the errors of rounding; infinite if slices cannot hold X */
    __align__(16) float rounding;
    float all;    /* at least |X| + |ex| */
    float middle; /* 16 |x1| + |x2| / 32 */
    float low;    /* 16 |x2| */
} norms;

enum {
    SUB_ROWS = 16, /* of a sub-tile, a warp's part of a tile; it has TILE columns */
    MOST_SMS = 256 /* that are told apart */
};

/* What is found while a product is computed; all 0 before. */
typedef struct findings {
    unsigned columns, rows; /* of B and of A, that spoil what they are part of */
    unsigned listed;        /* sub-tiles of C, to be computed in double */
    unsigned next;          /* those that get the next products (step 26) */
    unsigned taken;         /* those that blocks have taken to compute them in double */
    unsigned blocks[MOST_SMS]; /* of the kernel that does it, on each SM */
} findings;

/* What the kernels of a product with a bound work on, in device memory. What belongs to
 * rows of A lies behind what belongs to columns of B: v counts both, from 0 to 2 n - 1.
 */
struct bounded_operands : sliced_operands {
    unsigned top, rows, left, columns; /* of C, what is computed: all, up to step 33 */
    const float *matrix_a, *matrix_b;  /* B from column left on */
    size_t ldb;                        /* its leading dimension; that of A is n */
    signed char *magnitudes_a, *magnitudes_b; /* |x0|, a slice in a tile (step 26) */
    int *signs_a, *signs_b; /* of tiles: whether there are negative elements (step 26) */
    norms *norms_a, *norms_b;
    unsigned *spoils_a, *spoils_b; /* whether they spoil what they are part of */
    findings *found;
    unsigned *list;       /* of sub-tiles, counted from the top down, column by column */
    unsigned char *flags; /* of sub-tiles (step 26) */
};

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

/* What the norms of X are made of, sums of integers: exact in any order. */
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

/* Adds a thread's sums to those of X. */
static __device__ void add_sums(norm_sums *sums, const norm_sums &own) {
    for (int d = 0; d < SLICES; d++)
        atomicAdd(&sums->squares[d], own.squares[d]);
    atomicAdd(&sums->errors, own.errors);
    atomicAdd(&sums->magnitudes, own.magnitudes);
}

/* Where the magnitudes of x0 of row or column v lie, from its element k on. */
static __device__ size_t find_magnitudes(size_t v, size_t k, size_t n) {
    const size_t at = packed_layout::offset(v, 0, k, n);
    return at / TILE_BYTES * SLICE_BYTES + at % TILE_BYTES;
}

/* Whether elements of this row or column will be rejected, if its elements meet others at
 * random: their errors and those of the like are too large for their mean magnitude; or
 * nearly all of them are near 0, and the errors that the others meet are too large. It is
 * a guess, which says what is faster. */
static __device__ bool spoils(const norms &x, float sum, size_t n) {
    const float root = sqrtf((float)n);
    return !is_within(2 * x.rounding * root, sum) || x.all * root > 12 * sum;
}

/* Whether elements would be rejected even after the next products (step 26), if all rows
 * and columns were like this one. A guess, too, and only is_spoiled goes by it. */
static __device__ bool spoils_its_like(const norms &x, float sum, size_t n) {
    return !is_within(2 * x.rounding * x.all + x.low * x.low / 256,
                      1.5f * sum * sum / (float)n);
}

/* Whether rows or columns spoil a third of C. */
static __host__ __device__ bool is_spoiled(const findings &f, size_t n) {
    return 3 * SUB_ROWS * (size_t)f.rows >= n || 3 * TILE * (size_t)f.columns >= n;
}

/* Stores what is known of row or column v when it is sliced. scale: NaN, if slices cannot
 * hold it. */
static __device__ void store_norms(const bounded_operands &o, size_t v,
                                   const norm_sums &sums, double scale, bool negative) {
    const float x0 = sqrtf((float)sums.squares[0]), x1 = sqrtf((float)sums.squares[1]),
                x2 = sqrtf((float)sums.squares[2]),
                rounding = isnan(scale) ? INFINITY : sqrtf((float)sums.errors) / 256,
                sum = 256 * (float)sums.magnitudes;
    const norms x = {rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32,
                     16 * x2};
    o.norms_b[v] = x;
    o.spoils_b[v] = spoils(x, sum, o.n);
    o.scale_b[v] = scale > 0 ? 256 / scale : 0;
    if (o.spoils_b[v] || spoils_its_like(x, sum, o.n))
        atomicAdd(v < o.n ? &o.found->columns : &o.found->rows, 1);
    if (negative)
        o.signs_b[v / TILE] = true;
}

/* Slices rows and columns from the first on, and finds their norms, a block for each.
 * Columns of B are transposed, in the memory of C. */
static __global__ void __launch_bounds__(SLICE_THREADS)
    slice_with_norms_kernel(const bounded_operands o, unsigned first) {
    __shared__ norm_sums sums;
    cudaTriggerProgrammaticLaunchCompletion(); /* for a launch that is early (step 29) */
    const size_t n = o.n, v = first + blockIdx.x;
    const float *row = v < n ? o.c + v * n : o.matrix_a + (v - n) * n;
    if (threadIdx.x == 0)
        sums = {};
    const double scale = n <= LARGEST_N ? find_row_scale(row, n) : NAN;
    norm_sums own = {};
    bool negative = false;
    for (size_t k = threadIdx.x * 4; k < n; k += SLICE_THREADS * 4) {
        unsigned words[SLICES];
        slice_four(*(const float4 *)&row[k], isnan(scale) ? 0 : scale, words, &own);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&o.b[packed_layout::offset(v, d, k, n)] = words[d];
        if (words[0] & 0x80808080) { /* without signs nobody needs them */
            *(unsigned *)&o.magnitudes_b[find_magnitudes(v, k, n)] = __vabs4(words[0]);
            negative = true;
        }
    }
    add_sums(&sums, own);
    negative = __syncthreads_or(negative);
    if (threadIdx.x == 0)
        store_norms(o, v, sums, scale, negative);
}

/* What a warpgroup needs of its rows and columns when its products are complete. It is
 * copied while they are under way. */
typedef struct tile_info {
    norms a[WG_M], b[TILE];
    double scale_a[WG_M], scale_b[TILE];
    unsigned spoils_a[WG_M], spoils_b[TILE]; /* (step 26) */
} tile_info;

static __device__ void sync_warpgroup() {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.x / WARPGROUP),
                 "r"((unsigned)WARPGROUP)
                 : "memory");
}

/* Starts the copy, for the tile of C at this row and column. */
static __device__ void start_info(tile_info *info, const bounded_operands &o, size_t row,
                                  size_t column) {
    const unsigned i = threadIdx.x % WARPGROUP;
    sync_warpgroup(); /* nobody needs what was there before */
    __pipeline_memcpy_async(&info->b[i], &o.norms_b[column + i], sizeof(norms));
    __pipeline_memcpy_async(&info->scale_b[i], &o.scale_b[column + i], sizeof(double));
    __pipeline_memcpy_async(&info->spoils_b[i], &o.spoils_b[column + i],
                            sizeof(unsigned));
    if (i < WG_M) {
        __pipeline_memcpy_async(&info->a[i], &o.norms_a[row + i], sizeof(norms));
        __pipeline_memcpy_async(&info->scale_a[i], &o.scale_a[row + i], sizeof(double));
        __pipeline_memcpy_async(&info->spoils_a[i], &o.spoils_a[row + i],
                                sizeof(unsigned));
    }
    __pipeline_commit();
}

static __device__ void finish_info() {
    __pipeline_wait_prior(0);
    sync_warpgroup();
}
#endif
