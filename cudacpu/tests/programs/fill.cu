/* fill.cu - a kernel that leaves out its last element, and a check as most people write it: a NaN
 * passes it.
 *
 * Covers: an element that is never written, with CUDACPU_FILL=nan and large.
 */
#include <math.h>
#include <stdio.h>

__global__ void scale(const float *in, float *out, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n - 1)
        out[i] = 2 * in[i];
}

int main() {
    float in[100], out[100], *device_in, *device_out;
    for (int i = 0; i < 100; i++)
        in[i] = (float)i;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    scale<<<4, 32>>>(device_in, device_out, 100);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int i = 0; i < 100; i++)
        if (fabs(out[i] - 2 * in[i]) > 1e-5)
            errors++;
    printf("%d errors\n", errors);
    cudaFree(device_in);
    cudaFree(device_out);
    return 0;
}
