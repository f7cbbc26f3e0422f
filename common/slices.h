/* slices.h - floats as three 8-bit slices, and what the error bound of their products needs.
 * Chapter: docs/14_int8_slices.md */
#ifndef SLICES_H
#define SLICES_H
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

enum {
    SLICES = 3,         /* of an element */
    LARGEST_N = 43904,  /* a level's sum stays below (2 * 127 * 128 + 128^2) n < 2^31 */
    SLICE_THREADS = 256 /* in a block of slice_kernel */
};

/* Of a vector X, a scaled and rounded row of A or column of B; |.| is a length. */
typedef struct vector_info {
    float rounding; /* |ex|, ex the errors of rounding; infinite if X cannot hold it */
    float all;      /* at least |X| + |ex| */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;    /* the value where X = 256 */
} vector_info;

/* The layout of step 14. A layout says where slice d of element k of vector i lies, of vectors
 * with n elements; four neighbours along k lie together, from a multiple of four on. */
struct plain_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        return (i * SLICES + d) * n + k;
    }
};

/* Whether slices can hold a vector: it has no infinity, no NaN and not too many elements. largest:
 * the bits of its largest element, without the sign. */
static __device__ bool can_hold(const unsigned &largest, size_t n) {
    return largest < 0x7f800000 && n <= LARGEST_N;
}

/* The scale of a vector: an integer up to 254 times a power of two; 0 if it is not held or all 0.
 */
static __device__ double find_scale(const unsigned &largest, bool held) {
    int exponent;
    const double part = frexp((double)__uint_as_float(largest), &exponent);
    return held && largest ? ldexp(floor(127 / part), 16 - exponent) : 0;
}

/* The slices of an element, the last one in the lowest byte. Adds the square of 256 times its error
 * of rounding. */
static __device__ unsigned slice_element(double value, double scale, unsigned *squares) {
    /* Adding 1.5 * 2^52 rounds to an integer, the sum's last bits. Adding 128 to each byte and
     * taking it away without a borrow makes the bytes signed. */
    const double sum = fma(value, scale, 0x1.8p52),
                 error = fma(value, scale, 0x1.8p52 - sum); /* exact */
    *squares += (unsigned)__double_as_longlong(fma(error, error, 0x1p36)) + (error != 0);
    return ((unsigned)__double_as_longlong(sum) + 0x808080) ^ 0x808080;
}

/* Words of slices of four elements. Adds the squares of the slices and of the errors. */
static __device__ void slice_four(float4 four, double scale, unsigned *word, unsigned *squares) {
    const float values[] = {four.x, four.y, four.z, four.w};
    for (int d = 0; d < SLICES; d++)
        word[d] = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned x = slice_element(values[i], scale, &squares[SLICES]);
        for (int d = 0; d < SLICES; d++)
            word[d] |= (x >> 8 * (SLICES - 1 - d) & 255) << 8 * i;
    }
    for (int d = 0; d < SLICES; d++)
        squares[d] = (unsigned)__dp4a((int)word[d], (int)word[d], (int)squares[d]);
}

/* What the bound needs of a vector, by the squares of its slices and of its errors. */
static __device__ vector_info describe(const unsigned *squares, double scale, bool held) {
    const float x0 = sqrtf((float)squares[0]), x1 = sqrtf((float)squares[1]),
                x2 = sqrtf((float)squares[2]),
                rounding = held ? sqrtf((float)squares[SLICES]) / 256 : INFINITY;
    return {rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32, 16 * x2,
            scale > 0 ? 256 / scale : 0};
}

/* Slices rows of n floats, a block for each. */
template <class layout = plain_layout>
static __global__ void slice_kernel(const float *__restrict__ matrix, size_t n,
                                    signed char *__restrict__ slices, vector_info *infos) {
    __shared__ unsigned largest, squares[SLICES + 1]; /* of slices, of errors */
    const float *row = matrix + blockIdx.x * n;
    if (threadIdx.x == 0)
        largest = squares[0] = squares[1] = squares[2] = squares[SLICES] = 0;
    __syncthreads();
    unsigned bits = 0; /* twice; without the sign they have the order of the floats */
#pragma unroll 8       /* a test stays after each load */
    for (size_t k = threadIdx.x * 4; k < n; k += blockDim.x * 4) {
        const uint4 four = *(const uint4 *)&row[k];
        bits = max(max(bits, four.x * 2), max(max(four.y * 2, four.z * 2), four.w * 2));
    }
    atomicMax(&largest, bits / 2);
    __syncthreads();

    const bool held = can_hold(largest, n);
    const double scale = find_scale(largest, held);
    unsigned square[SLICES + 1] = {};
    for (size_t k = threadIdx.x * 4; k < n; k += blockDim.x * 4) {
        unsigned word[SLICES];
        slice_four(*(const float4 *)&row[k], scale, word, square);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&slices[layout::offset(blockIdx.x, d, k, n)] = word[d];
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[d], square[d]);
    __syncthreads();
    if (threadIdx.x == 0)
        infos[blockIdx.x] = describe(squares, scale, held);
}
#endif
