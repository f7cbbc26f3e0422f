/* failing.cu - where an error surfaces: what each CUDA call says after a launch that is not
 * possible, and after a kernel that writes out of bounds. Checks nothing on purpose. */
#include "tables.h"
#include <cuda_runtime.h>
#include <stdio.h>

static __global__ void write_kernel(float *x, size_t i) { x[i] = 1; }

static void say(const char *call, cudaError_t error) {
    printf("%-46s %s\n", call, error == cudaSuccess ? "-" : cudaGetErrorString(error));
}

void table_failing(void) {
    float *x = NULL, host = 0;
    say("cudaMalloc(&x, 4)", cudaMalloc(&x, sizeof *x));
    printf("\n# a launch that is not possible: nothing runs, the error is told once\n");
    write_kernel<<<1, 4096>>>(x, 0);
    say("write_kernel<<<1, 4096>>>; cudaGetLastError()", cudaGetLastError());
    say("cudaGetLastError()", cudaGetLastError());
    say("cudaDeviceSynchronize()", cudaDeviceSynchronize());
    say("cudaMemcpy(&host, x)", cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost));

    printf(
        "\n# a kernel that writes far out of bounds: the launch succeeds, the context is lost\n");
    write_kernel<<<1, 1>>>(x, (size_t)1 << 40);
    say("write_kernel<<<1, 1>>>; cudaGetLastError()", cudaGetLastError());
    say("cudaDeviceSynchronize()", cudaDeviceSynchronize());
    say("cudaGetLastError()", cudaGetLastError());
    say("cudaGetLastError()", cudaGetLastError());
    say("cudaMalloc(&x, 4)", cudaMalloc(&x, sizeof *x));
    say("cudaMemcpy(&host, x)", cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost));
    write_kernel<<<1, 1>>>(x, 0);
    say("write_kernel<<<1, 1>>>; cudaGetLastError()", cudaGetLastError());
    say("cudaFree(x)", cudaFree(x));
}
