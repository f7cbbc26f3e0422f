/* shared_objects.cu - objects in shared memory: those that g++ would construct in each thread and
 * guards, as if that were something to do, in templates; and those with virtual functions, placed.
 *
 * Covers: a `__shared__` variable of `__half`, of `__nv_bfloat16` and of a class with an empty
 * constructor, in a template; objects with virtual functions, placed in shared and in global
 * memory; inspect finds no fault in it. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <new>
#include <stdio.h>

struct pair {
    float first, second;
    __device__ pair() {}
    __device__ pair(float a, float b) : first(a), second(b) {}
};

template <class T> __global__ void spread(T *values, float *sums) {
    __shared__ T first;
    __shared__ pair pairs[2];
    if (threadIdx.x < 2) {
        pairs[threadIdx.x] = pair((float)values[threadIdx.x], 2);
        if (threadIdx.x == 0)
            first = values[0];
    }
    __syncthreads();
    sums[threadIdx.x] = (float)first + pairs[1].first + pairs[0].second;
}

template <class T> int count_wrong() {
    T values[32], *device_values;
    float sums[32], *device_sums;
    for (int i = 0; i < 32; i++)
        values[i] = (T)(float)(i + 1);
    cudaMalloc(&device_values, sizeof values);
    cudaMalloc(&device_sums, sizeof sums);
    cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
    spread<<<1, 32>>>(device_values, device_sums);
    cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(device_values);
    cudaFree(device_sums);
    int wrong = 0;
    for (int i = 0; i < 32; i++)
        wrong += !(sums[i] == 5);
    return wrong;
}

struct shape {
    __device__ virtual float area() const = 0;
};
struct square final : shape {
    float side;
    __device__ square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

__global__ void place(square *global) {
    if (threadIdx.x == 0)
        new (global) square(3);
}
__global__ void measure(const square *global, float *areas) {
    __shared__ alignas(square) char memory[sizeof(square)];
    if (threadIdx.x == 0)
        new (memory) square(2);
    __syncthreads();
    const shape *own = reinterpret_cast<square *>(memory), *other = global;
    areas[threadIdx.x] = own->area() + other->area();
}

int count_wrong_areas() {
    square *placed;
    float areas[32], *device_areas;
    cudaMalloc(&placed, sizeof *placed);
    cudaMalloc(&device_areas, sizeof areas);
    place<<<1, 32>>>(placed);
    measure<<<1, 32>>>(placed, device_areas);
    cudaMemcpy(areas, device_areas, sizeof areas, cudaMemcpyDeviceToHost);
    cudaFree(placed);
    cudaFree(device_areas);
    int wrong = 0;
    for (int i = 0; i < 32; i++)
        wrong += !(areas[i] == 13);
    return wrong;
}

int main() {
    printf("shared objects: %d of 96 wrong\n",
           count_wrong<__half>() + count_wrong<__nv_bfloat16>() + count_wrong_areas());
    return 0;
}
