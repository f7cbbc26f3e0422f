/* lab2 - matrices with a stride, views of their blocks, the product without and with tiles; pinned
 * host memory.
 *
 * What to write between "TODO n" and "end of TODO n" is in README.md. The rest works as it is. */
#include "cuda_check.h"

#ifndef TILE
#define TILE 16
#endif
#ifndef ELEMENT
#define ELEMENT float
#endif
enum { BLOCK = TILE };

/* stride: elements from the beginning of one row to the beginning of the next, at least width */
typedef struct Matrix {
    int width, height, stride;
    ELEMENT *elements;
} Matrix;

/* ==== TODO 1: accessors and the view ==== */

static __device__ ELEMENT get(Matrix a, int row, int column) {
    return a.elements[(size_t)row * a.stride + column];
}

static __device__ void set(Matrix a, int row, int column, ELEMENT value) {
    a.elements[(size_t)row * a.stride + column] = value;
}

/* The block at (block_row, block_column), counted in blocks, as a matrix of its own: no element is
 * copied. BLOCK x BLOCK, at the right and lower edge what is left of it. */
static __device__ Matrix block_of(Matrix a, int block_row, int block_column) {
    int row = block_row * BLOCK, column = block_column * BLOCK;
    Matrix view = {min(BLOCK, a.width - column), min(BLOCK, a.height - row), a.stride,
                   a.elements + (size_t)row * a.stride + column};
    return view;
}

/* ==== end of TODO 1 ==== */

/* C = A, block by block: shows whether TODO 1 is right. */
static __global__ void copy_kernel(Matrix a, Matrix c) {
    int x = threadIdx.x, y = threadIdx.y;
    Matrix from = block_of(a, blockIdx.y, blockIdx.x), to = block_of(c, blockIdx.y, blockIdx.x);
    if (y < to.height && x < to.width)
        set(to, y, x, get(from, y, x));
}

/* ==== TODO 2: one thread for each element of C, no shared memory ==== */

static __global__ void plain_kernel(Matrix a, Matrix b, Matrix c) {
    int row = blockIdx.y * BLOCK + threadIdx.y, column = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= c.height || column >= c.width)
        return;
    ELEMENT sum = 0;
    for (int k = 0; k < a.width; k++)
        sum += get(a, row, k) * get(b, k, column);
    set(c, row, column, sum);
}

/* ==== end of TODO 2 ==== */

/* ==== TODO 3: one block of threads for each block of C, tiles of A and B in shared memory ==== */

static __global__ void tiled_kernel(Matrix a, Matrix b, Matrix c) {
    __shared__ ELEMENT tile_a[BLOCK][BLOCK], tile_b[BLOCK][BLOCK];
    int x = threadIdx.x, y = threadIdx.y;
    ELEMENT sum = 0;
    for (int k = 0; k * BLOCK < a.width; k++) {
        Matrix block_a = block_of(a, blockIdx.y, k), block_b = block_of(b, k, blockIdx.x);
        tile_a[y][x] = y < block_a.height && x < block_a.width ? get(block_a, y, x) : 0;
        tile_b[y][x] = y < block_b.height && x < block_b.width ? get(block_b, y, x) : 0;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < BLOCK; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads(); /* nobody needs them any more */
    }
    Matrix block_c = block_of(c, blockIdx.y, blockIdx.x);
    if (y < block_c.height && x < block_c.width)
        set(block_c, y, x, sum);
}

/* ==== end of TODO 3 ==== */

/* ==== TODO 4: how many blocks of threads C needs ==== */

static dim3 grid_of(Matrix c) {
    return dim3((c.width + BLOCK - 1) / BLOCK, (c.height + BLOCK - 1) / BLOCK);
}

/* ==== end of TODO 4 ==== */

/* ==== TODO 5: memory of the host, pinned or pageable ==== */

extern "C" ELEMENT *allocate_host(size_t elements, bool pinned) {
    ELEMENT *memory = NULL;
    if (pinned)
        CUDA_CHECK(cudaMallocHost(&memory, elements * sizeof(ELEMENT)));
    else
        memory = (ELEMENT *)malloc(elements * sizeof(ELEMENT));
    return memory;
}

extern "C" void free_host(ELEMENT *memory, bool pinned) {
    if (pinned)
        CUDA_CHECK(cudaFreeHost(memory));
    else
        free(memory);
}

/* ==== end of TODO 5 ==== */

static void copy(Matrix to, Matrix from, cudaMemcpyKind kind) {
    CUDA_CHECK(cudaMemcpy2D(to.elements, to.stride * sizeof(ELEMENT), from.elements,
                            from.stride * sizeof(ELEMENT), from.width * sizeof(ELEMENT),
                            from.height, kind));
}

enum kernel { COPY, PLAIN, TILED };

/* The matrices of the host go to the device, where each row begins at an aligned address: there too
 * rows have gaps. */
static void run(kernel which, Matrix a, Matrix b, Matrix c) {
    Matrix device_a = a, device_b = b, device_c = c;
    size_t pitch_a, pitch_b, pitch_c; /* strides in bytes */
    CUDA_CHECK(cudaMallocPitch(&device_a.elements, &pitch_a, a.width * sizeof(ELEMENT), a.height));
    CUDA_CHECK(cudaMallocPitch(&device_b.elements, &pitch_b, b.width * sizeof(ELEMENT), b.height));
    CUDA_CHECK(cudaMallocPitch(&device_c.elements, &pitch_c, c.width * sizeof(ELEMENT), c.height));
    device_a.stride = (int)(pitch_a / sizeof(ELEMENT));
    device_b.stride = (int)(pitch_b / sizeof(ELEMENT));
    device_c.stride = (int)(pitch_c / sizeof(ELEMENT));
    copy(device_a, a, cudaMemcpyHostToDevice);
    copy(device_b, b, cudaMemcpyHostToDevice);

    dim3 grid = grid_of(c), block(BLOCK, BLOCK);
    if (which == COPY)
        copy_kernel<<<grid, block>>>(device_a, device_c);
    else if (which == PLAIN)
        plain_kernel<<<grid, block>>>(device_a, device_b, device_c);
    else
        tiled_kernel<<<grid, block>>>(device_a, device_b, device_c);
    CUDA_CHECK(cudaGetLastError());

    copy(c, device_c, cudaMemcpyDeviceToHost);
    CUDA_CHECK(cudaFree(device_a.elements));
    CUDA_CHECK(cudaFree(device_b.elements));
    CUDA_CHECK(cudaFree(device_c.elements));
}

extern "C" void copy_blocks(Matrix a, Matrix c) { run(COPY, a, a, c); }
extern "C" void multiply_plain(Matrix a, Matrix b, Matrix c) { run(PLAIN, a, b, c); }
extern "C" void multiply_tiled(Matrix a, Matrix b, Matrix c) { run(TILED, a, b, c); }
