/* shared_faults.cu - accesses past and before __shared__ arrays, near and far, that would destroy
 * what cudacpu or the host keep there, and beside each its correct twin: what inspect must find,
 * and where, instead of a crash.
 *
 *     shared_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". The arrays are reached through
 * pointers, so that the compiler does not know their sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64 };

/* Behind the variables of the program stand those of cudacpu, and behind these the OS's own. */
static __global__ void past_static(float *out, int count) {
    __shared__ float cell[THREADS];
    float *cells = cell;
    cells[threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < count && threadIdx.x == 5; i++)
        cells[i] = 2; /* fault: past_static */
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
static __global__ void far_past_static(float *out, int index) {
    __shared__ float cell[THREADS];
    float *cells = cell;
    cells[threadIdx.x] = 1;
    if (threadIdx.x == 5)
        cells[index] = 2; /* fault: far_past_static */
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
static __global__ void before_static(float *out, int index) {
    __shared__ float cell[THREADS];
    float *cells = cell;
    cells[threadIdx.x] = 1;
    if (threadIdx.x == 5)
        cells[index] = 2; /* fault: before_static */
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
/* The array of the kernel that was launched first. */
static __global__ void use_neighbour(float *out) {
    __shared__ float neighbour[THREADS];
    neighbour[threadIdx.x] = 0;
    out[threadIdx.x] = neighbour[threadIdx.x];
}
static __global__ void others_static(float *out, long distance) {
    __shared__ float cell[THREADS];
    float *cells = cell;
    cells[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x + distance]; /* fault: others_static */
}
static __global__ void add_past_static(float *out, int index) {
    __shared__ int cell[THREADS];
    int *cells = cell;
    cells[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5)
        atomicAdd(cells + index, 1); /* fault: add_past_static */
    __syncthreads();
    out[threadIdx.x] = (float)cells[threadIdx.x];
}
static __global__ void exchange_past_static(float *out, int index) {
    __shared__ int cell[THREADS];
    int *cells = cell;
    cells[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5)
        atomicCAS(cells + index, 0, 1); /* fault: exchange_past_static */
    __syncthreads();
    out[threadIdx.x] = (float)cells[threadIdx.x];
}
static __global__ void far_past_dynamic(float *out, int index) {
    extern __shared__ float row[];
    row[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5)
        row[index] = 2; /* fault: far_past_dynamic */
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x];
}
static __global__ void before_dynamic(float *out, int index) {
    extern __shared__ float row[];
    row[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5)
        row[index] = 2; /* fault: before_dynamic */
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x];
}
static __global__ void copy_past_static(float *out, int bytes) {
    __shared__ float cell[THREADS];
    float *cells = cell;
    cells[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5)
        memset(cells, 0, bytes); /* fault: copy_past_static */
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
static __global__ void read_far(float *out, int index) {
    extern __shared__ float row[];
    row[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x == 5 ? index : threadIdx.x]; /* fault: read_far */
}
static __device__ float kept[THREADS];
/* The first words past it are of the C library, which the report needs. */
static __global__ void past_device(int count) {
    float *cells = kept;
    for (int i = 0; i < count; i++)
        cells[i] = 2; /* fault: past_device */
}

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    const size_t bytes = THREADS * sizeof(float);
    int known = 0;
    float *out, host[THREADS];
    cudaMalloc(&out, bytes);
    cudaMemset(out, 0, bytes);
#define FAULT(wanted) if (strcmp(name, #wanted) == 0 && (known = 1))
    FAULT(past_static) past_static<<<2, THREADS>>>(out, twin ? THREADS : 1000);
    FAULT(far_past_static) far_past_static<<<2, THREADS>>>(out, twin ? 5 : 1 << 20);
    FAULT(before_static) before_static<<<2, THREADS>>>(out, twin ? 5 : -2000);
    FAULT(others_static) {
        use_neighbour<<<2, THREADS>>>(out);
        others_static<<<1, THREADS>>>(out, twin ? 0 : -THREADS);
    }
    FAULT(add_past_static) add_past_static<<<2, THREADS>>>(out, twin ? 5 : 2000);
    FAULT(exchange_past_static) exchange_past_static<<<2, THREADS>>>(out, twin ? 5 : 2000);
    FAULT(far_past_dynamic) far_past_dynamic<<<2, THREADS, bytes>>>(out, twin ? 5 : 1 << 20);
    FAULT(before_dynamic) before_dynamic<<<2, THREADS, bytes>>>(out, twin ? 5 : -100000);
    FAULT(copy_past_static) copy_past_static<<<2, THREADS>>>(out, twin ? 256 : 8192);
    FAULT(read_far) read_far<<<1, THREADS, bytes>>>(out, twin ? 5 : 1 << 28);
    FAULT(past_device) past_device<<<1, 1>>>(twin ? THREADS : 1 << 14);
    if (!known) {
        fprintf(stderr, "shared_faults: there is no fault '%s'\n", name);
        return 2;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    cudaFree(out);
    return 0;
}
