/* launch.cu - what a thread without barriers costs on cudacpu: the processor time of a launch by
 * its threads, of an empty kernel and of a vector sum, beside a loop that does the same.
 *
 *     cudacpu/cpucc -O3 cudacpu/tests/portable/launch.cu -o launch && ./launch
 */
#include <algorithm>
#include <stdio.h>
#include <time.h>
#include <vector>

enum { THREADS = 256, COUNT = 1 << 24, RUNS = 9 };

static __global__ void empty_kernel() {}

static __global__ void add_kernel(const float *a, const float *b, float *c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static double processor_seconds() {
    struct timespec now;
    /* the processor time of this process, whatever else the machine does */
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

template <typename Work> static void time_it(const char *name, Work work) {
    double time[RUNS];
    for (int r = -1; r < RUNS; r++) { /* the first one makes stacks and touches memory */
        const double start = processor_seconds();
        work();
        if (r >= 0)
            time[r] = (processor_seconds() - start) / COUNT * 1e9;
    }
    std::sort(time, time + RUNS);
    printf("%-12s %.2f ns for each of %d (median of %d)\n", name, time[RUNS / 2], COUNT, RUNS);
}

int main() {
    float *a, *b, *c;
    const size_t bytes = COUNT * sizeof(float);
    if (cudaMalloc(&a, bytes) || cudaMalloc(&b, bytes) || cudaMalloc(&c, bytes))
        return 1;
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    time_it("empty kernel", [] { empty_kernel<<<COUNT / THREADS, THREADS>>>(); });
    time_it("vector sum", [=] { add_kernel<<<COUNT / THREADS, THREADS>>>(a, b, c, COUNT); });
    std::vector<float> x(COUNT), y(COUNT), z(COUNT);
    time_it("loop", [&] {
        for (int i = 0; i < COUNT; i++)
            z[i] = x[i] + y[i];
    });
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return cudaGetLastError() != cudaSuccess;
}
