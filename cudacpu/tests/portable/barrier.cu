/* barrier.cu - what a barrier costs on cudacpu, per thread: one block, so one core; nothing but
 * barriers.
 *
 *     cudacpu/cpucc -O3 cudacpu/tests/portable/barrier.cu -o barrier && ./barrier
 */
#include <algorithm>
#include <stdio.h>
#include <time.h>

static __global__ void barriers(int count) {
    for (int i = 0; i < count; i++)
        __syncthreads();
}

static double processor_seconds() {
    struct timespec now;
    /* the processor time of this process, whatever else the machine does */
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main() {
    enum { SWITCHES = 10000000, RUNS = 9 };
    for (int threads = 32; threads <= 1024; threads *= 2) {
        double time[RUNS];
        for (int r = -1; r < RUNS; r++) { /* the first one makes the stacks */
            double start = processor_seconds();
            barriers<<<1, threads>>>(SWITCHES / threads);
            if (r >= 0)
                time[r] = (processor_seconds() - start) / SWITCHES * 1e9;
        }
        std::sort(time, time + RUNS);
        printf("%4d threads: %.2f ns (median of %d)\n", threads, time[RUNS / 2], RUNS);
    }
    return cudaGetLastError() != cudaSuccess;
}
