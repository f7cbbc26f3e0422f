/* histogram.cu - how often each value occurs: counted for a block in shared memory, then for all.
 * Covers: atomic additions in shared and in global memory, a loop in strides of the grid. */
#include <cstdio>
#include <cstdlib>
#include <vector>

const int N = 10000, BINS = 64, BLOCK = 128;

__global__ void count(const unsigned char *values, int n, unsigned *total) {
    __shared__ unsigned bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += BLOCK)
        bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        const int bin = values[i];
        atomicAdd(&bins[bin], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += BLOCK)
        atomicAdd(&total[b], bins[b]);
}

int main() {
    std::vector<unsigned char> values(N);
    std::vector<unsigned> expected(BINS), found(BINS);
    for (int i = 0; i < N; i++) {
        values[i] = (unsigned char)(i * i % 61);
        expected[values[i]]++;
    }
    unsigned char *device_values;
    unsigned *total;
    cudaMalloc(&device_values, N);
    cudaMalloc(&total, BINS * sizeof *total);
    cudaMemcpy(device_values, values.data(), N, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, BINS * sizeof *total);
    count<<<8, BLOCK>>>(device_values, N, total);
    if (cudaMemcpy(found.data(), total, BINS * sizeof *total, cudaMemcpyDeviceToHost))
        return EXIT_FAILURE;
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += found[b] != expected[b];
    printf("histogram: %d of %d wrong\n", wrong, BINS);
    cudaFree(device_values);
    cudaFree(total);
    return wrong > 0;
}
