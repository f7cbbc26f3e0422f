/* ended_lanes.cu - differences of neighbours, right although the last lane reads one that has
 * ended.
 *
 * Covers: a shuffle from a lane that has ended: said, and no fault, since the program does not use
 * what it gets.
 */
#include <cstdio>

enum { COUNT = 40 };

__global__ void subtract(const int *in, int *out) {
    const int i = threadIdx.x;
    if (i >= COUNT)
        return;
    const int next = __shfl_down_sync(0xffffffff, in[i], 1); /* lane 7 of warp 1 reads lane 8 */
    out[i] = i + 1 < COUNT && i % 32 < 31 ? next - in[i] : 0;
}

int main() {
    int in[COUNT], out[COUNT], wrong = 0, *device_in, *device_out;
    for (int i = 0; i < COUNT; i++)
        in[i] = i * i;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    subtract<<<1, 64>>>(device_in, device_out);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        wrong += out[i] != (i + 1 < COUNT && i % 32 < 31 ? 2 * i + 1 : 0);
    printf("%d wrong\n", wrong);
    cudaFree(device_in);
    cudaFree(device_out);
    return wrong > 0;
}
