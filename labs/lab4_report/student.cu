/* lab4 - C = A B in double, four ways: serial, from global memory, with tiles, with whole rows and
 * columns.
 *
 * The names are the lab's: A is m x n, B is n x k, C is m x k, all dense and row-major. */
#include "cuda_check.h"
#include <stdio.h>
#include <stdlib.h>

enum { LEAST = 128, LARGEST = 2048 };

/* Task 1. Reads m, n and k, in this order, from the command line. Returns 0, or 2 after one
 * sentence on stderr. */
extern "C" int read_sizes(int argc, char **argv, int sizes[3]) {
    /* TODO 1: argc must be 4. Anything that is not a whole number in the range, from its first
     * character to its last, is refused: too few, too many, 12x, 1e3, -200, 127, 2049, a number too
     * long for an int. The sentence names the value and both limits. */
    (void)argc, (void)argv, (void)sizes, (void)LEAST, (void)LARGEST; /* delete this line */
    return 2;
    /* end of TODO 1 */
}

/* Task 2. On the CPU, one element after the other. */
extern "C" void multiply_serial(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 2: three loops. */
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k; /* delete this line */
    /* end of TODO 2 */
}

/* Task 3. A thread computes one element and reads its factors from global memory. */
__global__ void globalKernel(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 3: which element is this thread's, and is there one? */
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k; /* delete this line */
    /* end of TODO 3 */
}

/* Task 4. The same from BLOCK x BLOCK tiles in shared memory. */
template <int BLOCK>
__global__ void tiledKernel(const double *a, const double *b, double *c, int m, int n, int k) {
    /* TODO 4: two tiles of BLOCK x BLOCK doubles, two barriers for each pair of tiles, zeros
     * outside of the matrices. */
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k; /* delete this line */
    /* end of TODO 4 */
}

/* Task 5. A block holds `strip` whole rows of A and `strip` whole columns of B in two 1-D arrays of
 * shared memory, and computes strip x strip elements; its other threads only help to load. */
__global__ void rowsKernel(const double *a, const double *b, double *c, int m, int n, int k,
                           int strip) {
    /* strip * n elements, and after them as many for the columns */
    extern __shared__ double rows[];
    /* TODO 5: all threads of the block load, each of them other elements; one barrier; then one
     * thread an element. */
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k, (void)rows,
        (void)strip; /* delete this line */
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
    /* TODO 6: round the grid up. tiledKernel<BLOCK> wants its number at compile time. Ask for an
     * error of the launch. */
    (void)a, (void)b, (void)c, (void)m, (void)n, (void)k, (void)kernel,
        (void)threads; /* delete this line */
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
    launch(kernel, device_a, device_b, device_c, m, n, k, block);
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
