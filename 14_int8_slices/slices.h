/* slices.h - floats as three 8-bit slices, and back. Chapter: docs/14_int8_slices.md */
#ifndef SLICES_H
#define SLICES_H
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

enum {
    SLICES = 3,         /* of an element */
    LARGEST_N = 43904,  /* an accumulator stays below (2 * 127 * 128 + 128^2) n < 2^31 */
    SLICE_THREADS = 256 /* in a block of slice_kernel */
};

/* Says where slice d of element k of row i lies, of rows with n elements: slice after
 * slice. In any layout four neighbours along k lie together, from a multiple of four. */
struct plain_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        return (i * SLICES + d) * n + k;
    }
};

/* The scale of a row: an integer up to 254 times a power of two, so that its largest
 * element becomes almost 127 * 65536. largest: that element's bits, without the sign. */
static __device__ double find_scale(unsigned largest) {
    int exponent;
    const double part = frexp((double)__uint_as_float(largest), &exponent);
    return largest ? ldexp(floor(127 / part), 16 - exponent) : 0;
}

/* Rounds value * scale to an integer, of three signed bytes: 65536 x0 + 256 x1 + x2. */
static __device__ unsigned slice_element(float value, double scale) {
    /* Adding 1.5 * 2^52 rounds: the integer is in the sum's last bits. Adding 128 to each
     * byte, and taking it away without a borrow, makes the bytes signed. */
    const double sum = fma((double)value, scale, 0x1.8p52);
    return ((unsigned)__double_as_longlong(sum) + 0x808080) ^ 0x808080;
}

/* The bits of a row's largest element, without the sign. For all threads of a block. */
static __device__ unsigned find_largest(const float *__restrict__ row, size_t n) {
    __shared__ unsigned largest;
    if (threadIdx.x == 0)
        largest = 0;
    __syncthreads();
    unsigned bits = 0; /* without the sign they have the order of the floats */
    for (size_t k = threadIdx.x * 4; k < n; k += SLICE_THREADS * 4) {
        const uint4 four = *(const uint4 *)&row[k];
        bits =
            max(max(bits, four.x << 1), max(max(four.y << 1, four.z << 1), four.w << 1));
    }
    atomicMax(&largest, bits >> 1);
    __syncthreads();
    return largest;
}

/* The scale of a row, which one thread computes for all of its block; NaN, where the row
 * has an infinity or a NaN. */
static __device__ double find_row_scale(const float *__restrict__ row, size_t n) {
    __shared__ double scale;
    const unsigned largest = find_largest(row, n);
    if (threadIdx.x == 0)
        scale = largest < 0x7f800000 ? find_scale(largest) : NAN;
    __syncthreads();
    return scale;
}

/* Slices n rows of B, transposed, and then n rows of A, of n floats, a block for each.
 * scales: what 256 stands for in a row, its dequantization scale; NaN, where the row has
 * an infinity or a NaN. */
template <class layout>
static __global__ void slice_kernel(const float *__restrict__ b,
                                    const float *__restrict__ a, size_t n,
                                    signed char *__restrict__ slices, double *scales) {
    const float *row = blockIdx.x < n ? b + blockIdx.x * n : a + (blockIdx.x - n) * n;
    const double scale = find_row_scale(row, n);
    for (size_t k = threadIdx.x * 4; k < n; k += SLICE_THREADS * 4) {
        const float4 four = *(const float4 *)&row[k];
        const unsigned x[] = {slice_element(four.x, scale), slice_element(four.y, scale),
                              slice_element(four.z, scale), slice_element(four.w, scale)};
        for (int d = 0; d < SLICES; d++) {
            const int shift = 8 * (SLICES - 1 - d);
            *(uchar4 *)&slices[layout::offset(blockIdx.x, d, k, n)] =
                make_uchar4(x[0] >> shift & 255, x[1] >> shift & 255, x[2] >> shift & 255,
                            x[3] >> shift & 255);
        }
    }
    if (threadIdx.x == 0)
        scales[blockIdx.x] = scale > 0 ? 256 / scale : scale; /* 0, or NaN */
}

/* The sum of an element's accumulators, exact. An integer below 2^51 becomes a double
 * when 1.5 * 2^52 is added to its bits. */
static __device__ double add_accumulators(int sum0, int sum1, int sum2) {
    const long long sum = sum0 * 65536LL + sum1 * 256LL + sum2;
    return __longlong_as_double(sum + 0x4338000000000000) - 0x1.8p52;
}

/* An element of C from its accumulators, rounded once. */
static __device__ float dequantize(int sum0, int sum1, int sum2, double scale_a,
                                   double scale_b) {
    return (float)(add_accumulators(sum0, sum1, sum2) * scale_a * scale_b);
}
#endif
