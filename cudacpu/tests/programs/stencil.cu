/* stencil.cu - the mean of each number and its two neighbours; zeros beyond the ends.
 * Covers: a halo in shared memory, managed memory. */
#include <cstdio>
#include <cstdlib>

const int N = 1000, BLOCK = 128;

__global__ void smooth(const float *in, float *out, int n) {
    __shared__ float tile[BLOCK + 2]; /* a neighbour at either end */
    const int i = blockIdx.x * BLOCK + threadIdx.x, at = threadIdx.x + 1;
    tile[at] = i < n ? in[i] : 0;
    if (threadIdx.x == 0)
        tile[0] = i > 0 && i <= n ? in[i - 1] : 0;
    if (threadIdx.x == BLOCK - 1)
        tile[at + 1] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n)
        out[i] = (tile[at - 1] + tile[at] + tile[at + 1]) / 3;
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, N * sizeof(float));
    cudaMallocManaged(&out, N * sizeof(float));
    for (int i = 0; i < N; i++)
        in[i] = (float)(i % 7);
    smooth<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, N);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return EXIT_FAILURE;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        const float left = i > 0 ? in[i - 1] : 0, right = i + 1 < N ? in[i + 1] : 0;
        wrong += !(out[i] == (left + in[i] + right) / 3);
    }
    printf("stencil: %d of %d wrong\n", wrong, N);
    cudaFree(in);
    cudaFree(out);
    return wrong > 0;
}
