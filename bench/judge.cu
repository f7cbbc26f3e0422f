/* judge.cu - an fp64 product on the device (06_tiled in double), and the error of float results
 * against it. */
#include "cuda_check.h"
#include "judge.h"

enum { TILE = 16, BLOCKS = 1024, THREADS = 256 };
static double *product, *magnitude; /* A B and |A| |B|, on the device */
static size_t size;

static __global__ void product_kernel(const float *a, const float *b, double *c, double *magnitude,
                                      size_t n) {
    __shared__ double tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    double sum = 0, absolute = 0;
    for (size_t k = 0; k < n; k += TILE) {
        tile_a[y][x] = row < n && k + x < n ? a[row * n + (k + x)] : 0;
        tile_b[y][x] = k + y < n && column < n ? b[(k + y) * n + column] : 0;
        __syncthreads();
        for (size_t i = 0; i < TILE; i++) {
            const double term = tile_a[y][i] * tile_b[i][x]; /* exact */
            sum += term;
            absolute += fabs(term);
        }
        __syncthreads();
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
        magnitude[row * n + column] = absolute;
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
    unsigned tiles = ((unsigned)n + TILE - 1) / TILE;
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
