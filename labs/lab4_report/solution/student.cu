/* lab4 - C = A B in double, four ways: serial, from global memory, with tiles, with whole rows and
 * columns.
 *
 * The names are the lab's: A is m x n, B is n x k, C is m x k, all dense and row-major. */
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 128, LARGEST = 2048 };

/* Task 1. Reads m, n and k, in this order, from the command line. Returns 0, or 2 after one
 * sentence on stderr. */
extern "C" int read_sizes(int argc, char **argv, int sizes[3]) {
    /* TODO 1 */
    if (argc != 4) {
        fprintf(stderr, "%s: it takes three sizes, m n k, each from %d to %d; %d given\n", argv[0],
                LEAST, LARGEST, argc - 1);
        return 2;
    }
    for (int i = 0; i < 3; i++) {
        /* digits alone: strtol would take a sign and spaces too; a number beyond long is long's
         * largest, and out of range */
        long value = strtol(argv[i + 1], NULL, 10);
        if (strspn(argv[i + 1], "0123456789") != strlen(argv[i + 1]) || value < LEAST ||
            value > LARGEST) {
            fprintf(stderr, "%s: %c is '%s', it must be a whole number from %d to %d\n", argv[0],
                    "mnk"[i], argv[i + 1], LEAST, LARGEST);
            return 2;
        }
        sizes[i] = (int)value;
    }
    return 0;
    /* end of TODO 1 */
}

/* Task 2. On the CPU, one element after the other. */
extern "C" void multiply_serial(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 2 */
    for (int row = 0; row < m; row++)
        for (int column = 0; column < k; column++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += a[(size_t)row * n + i] * b[(size_t)i * k + column];
            c[(size_t)row * k + column] = sum;
        }
    /* end of TODO 2 */
}

/* Task 3. A thread computes one element and reads its factors from global memory. */
__global__ void globalKernel(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 3 */
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < k) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[(size_t)row * n + i] * b[(size_t)i * k + column];
        c[(size_t)row * k + column] = sum;
    }
    /* end of TODO 3 */
}

/* Task 4. The same from BLOCK x BLOCK tiles in shared memory. */
template <int BLOCK>
__global__ void tiledKernel(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 4 */
    __shared__ double tile_a[BLOCK][BLOCK], tile_b[BLOCK][BLOCK];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * BLOCK + y, column = blockIdx.x * BLOCK + x;
    double sum = 0;
    for (int start = 0; start < n; start += BLOCK) {
        tile_a[y][x] = row < m && start + x < n ? a[(size_t)row * n + (start + x)] : 0;
        tile_b[y][x] = start + y < n && column < k ? b[(size_t)(start + y) * k + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < BLOCK; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < m && column < k)
        c[(size_t)row * k + column] = sum;
    /* end of TODO 4 */
}

/* Task 5. A block holds `strip` whole rows of A and `strip` whole columns of B in two 1-D arrays of
 * shared memory, and computes strip x strip elements; its other threads only help to load. */
__global__ void rowsKernel(const double *a, const double *b, double *c, int m, int n, int k,
                           int strip) {
    /* strip * n elements, and after them as many for the columns */
    extern __shared__ double rows[];
    /* TODO 5 */
    double *columns = rows + strip * n;
    int first_row = blockIdx.y * strip, first_column = blockIdx.x * strip;
    int threads = blockDim.x * blockDim.y;
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < strip * n; i += threads) {
        int line = i / n, at = i % n;
        rows[i] = first_row + line < m ? a[(size_t)(first_row + line) * n + at] : 0;
        columns[i] = first_column + line < k ? b[(size_t)at * k + (first_column + line)] : 0;
    }
    __syncthreads(); /* the rows and columns are complete */
    int x = threadIdx.x, y = threadIdx.y;
    int row = first_row + y, column = first_column + x;
    if (y < strip && x < strip && row < m && column < k) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += rows[y * n + i] * columns[x * n + i];
        c[(size_t)row * k + column] = sum;
    }
    /* end of TODO 5 */
}

/* How many whole rows of A, and columns of B, a block holds: at most block, and as the 48 KB of
 * shared memory allow. That is 1 for n = 2048, and none for n above 3072. */
inline int strip_for(int n, int block) {
    int fit = 48 * 1024 / (2 * n * (int)sizeof(double));
    return fit < block ? fit : block;
}

enum which { GLOBAL, TILED, ROWS };

/* Task 6. Starts one of the kernels with blocks of block x block threads; block is 8, 16 or 32. */
static void launch(which kernel, const double *a, const double *b, double *c, int m, int n, int k,
                   int block) {
    dim3 threads(block, block);
    /* TODO 6 */
    dim3 grid((k + block - 1) / block, (m + block - 1) / block);
    if (kernel == GLOBAL)
        globalKernel<<<grid, threads>>>(a, b, c, m, n, k);
    else if (kernel == TILED && block == 8)
        tiledKernel<8><<<grid, threads>>>(a, b, c, m, n, k);
    else if (kernel == TILED && block == 16)
        tiledKernel<16><<<grid, threads>>>(a, b, c, m, n, k);
    else if (kernel == TILED)
        tiledKernel<32><<<grid, threads>>>(a, b, c, m, n, k);
    else {
        int strip = strip_for(n, block);
        dim3 strips((k + strip - 1) / strip, (m + strip - 1) / strip);
        rowsKernel<<<strips, threads, 2 * strip * n * sizeof(double)>>>(a, b, c, m, n, k, strip);
    }
    CUDA_CHECK(cudaGetLastError());
    /* end of TODO 6 */
}

/* Copies A and B to the device, runs one kernel, copies C back. Returns the kernel's time in
 * milliseconds. */
static float product(which kernel, const double *a, const double *b, double *c, int m, int n, int k,
                     int block) {
    double *device_a, *device_b, *device_c;
    size_t bytes_a = sizeof(double) * m * n, bytes_b = sizeof(double) * n * k,
           bytes_c = sizeof(double) * m * k;
    CUDA_CHECK(cudaMalloc(&device_a, bytes_a));
    CUDA_CHECK(cudaMalloc(&device_b, bytes_b));
    CUDA_CHECK(cudaMalloc(&device_c, bytes_c));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes_b, cudaMemcpyHostToDevice));

    /* TODO 7: two events, one recorded before the launch, one after it; wait for the second before
     * you ask. */
    float milliseconds = 0;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start, 0));
    launch(kernel, device_a, device_b, device_c, m, n, k, block);
    CUDA_CHECK(cudaEventRecord(stop, 0));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    /* end of TODO 7 */

    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    return milliseconds;
}

extern "C" float multiply_global(const double *a, const double *b, double *c, int m, int n, int k,
                                 int block) {
    return product(GLOBAL, a, b, c, m, n, k, block);
}
extern "C" float multiply_tiled(const double *a, const double *b, double *c, int m, int n, int k,
                                int block) {
    return product(TILED, a, b, c, m, n, k, block);
}
extern "C" float multiply_rows(const double *a, const double *b, double *c, int m, int n, int k,
                               int block) {
    return product(ROWS, a, b, c, m, n, k, block);
}

/* The rest of the program is in lab4.cu: random matrices, corners, times. */
extern "C" int lab4(int argc, char **argv);
int main(int argc, char **argv) { return lab4(argc, argv); }
