/* judge.cu - an fp64 product on the device, and the error of float results against it. */
#include "cuda_check.h"
#include "judge.h"

enum { TILE = 16, SIDE = 4 * TILE, BLOCKS = 1024, THREADS = 256 };
static double *product, *magnitude; /* A B and |A| |B|, on the device */
static size_t size;

/* A block computes SIDE x SIDE elements, a thread 4 x 4, TILE apart. The products are exact in
 * double, so that each fma rounds as a sum. */
static __global__ void product_kernel(const float *a, const float *b, double *c, double *magnitude,
                                      size_t n) {
    __shared__ double tile_a[TILE][SIDE + 1], tile_b[TILE][SIDE];
    const size_t x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE,
                 column = blockIdx.x * SIDE;
    double sum[4][4] = {}, absolute[4][4] = {};
    for (size_t k = 0; k < n; k += TILE) {
        for (int p = 0; p < 4; p++) {
            const size_t i = row + y + TILE * p, j = column + x + TILE * p;
            tile_a[x][y + TILE * p] = i < n && k + x < n ? a[i * n + (k + x)] : 0;
            tile_b[y][x + TILE * p] = k + y < n && j < n ? b[(k + y) * n + j] : 0;
        }
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            for (int p = 0; p < 4; p++)
                for (int q = 0; q < 4; q++) {
                    const double u = tile_a[l][y + TILE * p], v = tile_b[l][x + TILE * q];
                    sum[p][q] = fma(u, v, sum[p][q]);
                    absolute[p][q] = fma(fabs(u), fabs(v), absolute[p][q]);
                }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) {
            const size_t i = row + y + TILE * p, j = column + x + TILE * q;
            if (i < n && j < n) {
                c[i * n + j] = sum[p][q];
                magnitude[i * n + j] = absolute[p][q];
            }
        }
}

/* The error of an element, without what the smallest floats explain, as a part of its magnitude;
 * infinite where it is not the infinity or NaN of the reference, or is one and should not be. */
static __device__ double find_error(float value, double wanted, double magnitude, double least) {
    const float rounded = (float)wanted;
    if (!isfinite(rounded) || !isfinite(value))
        return value == rounded || (isnan(value) && isnan(rounded)) ? 0 : HUGE_VAL;
    const double error = fabs((double)value - wanted);
    return error <= least ? 0 : (error - least) / magnitude;
}

/* Each thread's largest error and sum of errors. */
static __global__ void error_kernel(const float *c, const double *product, const double *magnitude,
                                    size_t count, double least, double *max, double *sum) {
    size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    double largest = 0, all = 0;
    for (size_t i = thread; i < count; i += (size_t)BLOCKS * THREADS) {
        const double error = find_error(c[i], product[i], magnitude[i], least);
        if (!(error <= largest)) /* true for a NaN */
            largest = error == error ? error : HUGE_VAL;
        all += error;
    }
    max[thread] = largest;
    sum[thread] = all;
}

static float *upload(const float *host, size_t count) {
    float *device;
    CUDA_CHECK(cudaMalloc(&device, count * sizeof *device));
    CUDA_CHECK(cudaMemcpy(device, host, count * sizeof *device, cudaMemcpyHostToDevice));
    return device;
}

void prepare_judge(const float *a, const float *b, int n) {
    size = (size_t)n;
    CUDA_CHECK(cudaFree(product));
    CUDA_CHECK(cudaFree(magnitude));
    CUDA_CHECK(cudaMalloc(&product, size * size * sizeof *product));
    CUDA_CHECK(cudaMalloc(&magnitude, size * size * sizeof *magnitude));
    float *device_a = upload(a, size * size), *device_b = upload(b, size * size);
    unsigned tiles = ((unsigned)n + SIDE - 1) / SIDE;
    product_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(device_a, device_b, product, magnitude,
                                                             size);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
}

void judge_error(const float *c, double *max_error, double *mean_error) {
    static double host[2][BLOCKS * THREADS];
    double *partial;
    float *device_c = upload(c, size * size);
    CUDA_CHECK(cudaMalloc(&partial, sizeof host));
    error_kernel<<<BLOCKS, THREADS>>>(device_c, product, magnitude, size * size,
                                      (double)(size + 1) * 0x1p-149, partial,
                                      partial + BLOCKS * THREADS);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(host, partial, sizeof host, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(partial));
    CUDA_CHECK(cudaFree(device_c));
    *max_error = *mean_error = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        *max_error = host[0][i] > *max_error ? host[0][i] : *max_error;
        *mean_error += host[1][i] / (double)(size * size);
    }
}
