/* uses_library.cu - a program with a kernel that is linked to library.cu; with an argument, a fault
 * of the library's.
 *
 * Covers: a program with kernels and a shared library with some. */
#include <cstdio>

extern "C" int add_on_device(const int *x, int *sums, int blocks, int threads);
extern "C" void use_the_hosts(int *x);

__device__ int factor = 2;
__global__ void multiply(int *x) { x[threadIdx.x] *= factor; }

int main(int argc, char **) {
    enum { BLOCKS = 3, THREADS = 32, N = BLOCKS * THREADS };
    int x[N], sums[N], *device, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    if (argc > 1)
        use_the_hosts(x);
    wrong += add_on_device(x, sums, BLOCKS, THREADS);
    cudaMalloc(&device, sizeof sums);
    cudaMemcpy(device, sums, sizeof sums, cudaMemcpyHostToDevice);
    multiply<<<1, N>>>(device);
    cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int i = 0; i < N; i++) {
        const int t = i % THREADS, first = i - t;
        wrong +=
            sums[i] != 2 * (first + (t + THREADS - 1) % THREADS + i + first + (t + 1) % THREADS);
    }
    printf("library: %d of %d wrong\n", wrong, N);
    return 0;
}
