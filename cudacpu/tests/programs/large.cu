/* large.cu - threads with much memory of their own.
 *
 * Covers: a parameter of 32 KB, an array of 96 KB in each thread; inspect finds no fault in it. */
#include <cstdio>

enum { WORDS = 8000, ROW = 24 * 1024, THREADS = 8 };
struct words {
    int word[WORDS];
};

static __global__ void add(__grid_constant__ const words w, int *sum) {
    int mine = 0;
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        mine += w.word[i];
    __syncthreads();
    atomicAdd(sum, mine);
}

/* Each thread fills its array before any adds its own up. */
static __global__ void fill(int *sums, int n) {
    int row[ROW], sum = 0;
    for (int i = 0; i < n; i++)
        row[i] = i + (int)threadIdx.x;
    __syncthreads();
    for (int i = 0; i < n; i++)
        sum += row[i] % 5;
    sums[threadIdx.x] = sum;
}

int main() {
    static words w;
    int expected = 0, wrong = 0, *sums;
    cudaMallocManaged(&sums, (THREADS + 1) * sizeof *sums);
    sums[THREADS] = 0;
    for (int i = 0; i < WORDS; i++)
        expected += w.word[i] = i % 7;
    add<<<1, THREADS>>>(w, sums + THREADS);
    fill<<<1, THREADS>>>(sums, ROW);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    wrong += sums[THREADS] != expected;
    for (int t = 0; t < THREADS; t++) {
        int sum = 0;
        for (int i = 0; i < ROW; i++)
            sum += (i + t) % 5;
        wrong += sums[t] != sum;
    }
    printf("large: %d of %d wrong\n", wrong, THREADS + 1);
    cudaFree(sums);
    return 0;
}
