/* shared_objects.cu - __shared__ variables of classes, which g++ would construct in each thread and
 * guards, as if that were something to do; in templates, as generic kernels are written.
 *
 * Covers: a `__shared__` variable of `__half`, of `__nv_bfloat16` and of a class with an empty
 * constructor, in a template; inspect finds no fault in it. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
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

int main() {
    printf("shared objects: %d of 64 wrong\n",
           count_wrong<__half>() + count_wrong<__nv_bfloat16>());
    return 0;
}
