/* nested.cu - dynamic parallelism: lines whose points kernels of their own compute, into memory
 * that the kernel which launches them allocates; and a sort that launches itself for each half.
 *
 * Covers: kernels that launch kernels, in streams of theirs and into `cudaStreamTailLaunch`;
 * `cudaMalloc` and `cudaFree` in kernels; inspect finds no fault in it. With an argument a kernel
 * gives its shared memory to the one that it launches: the program and inspect say so. */
#include <stdio.h>

enum { LINES = 70, WORDS = 600 };

struct line {
    char kind; /* what comes after it is padding */
    double slope;
    int count;
    float *points;
};

__global__ void compute_points(line *lines, int which) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lines[which].count)
        lines[which].points[i] = (float)(lines[which].slope * i);
}
__global__ void add_up(line *lines, float *sum) {
    for (int l = 0; l < LINES; l++)
        for (int i = 0; i < lines[l].count; i++)
            *sum += lines[l].points[i];
}
__global__ void start_lines(line *lines, float *sum) {
    const int which = blockIdx.x * blockDim.x + threadIdx.x;
    if (which >= LINES)
        return;
    line &mine = lines[which];
    mine.count = 1 + which % 50;
    cudaMalloc((void **)&mine.points, mine.count * sizeof *mine.points);
    compute_points<<<(mine.count + 31) / 32, 32>>>(lines, which);
    if (which == 0)
        add_up<<<1, 1, 0, cudaStreamTailLaunch>>>(lines, sum);
}
__global__ void free_lines(line *lines) {
    const int which = blockIdx.x * blockDim.x + threadIdx.x;
    if (which < LINES)
        cudaFree(lines[which].points);
}

__global__ void sort(unsigned *words, int left, int right) {
    const unsigned pivot = words[(left + right) / 2];
    int low = left, high = right;
    while (low <= high) {
        while (words[low] < pivot)
            low++;
        while (words[high] > pivot)
            high--;
        if (low <= high) {
            const unsigned word = words[low];
            words[low++] = words[high];
            words[high--] = word;
        }
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (left < high)
        sort<<<1, 1, 0, stream>>>(words, left, high);
    if (low < right)
        sort<<<1, 1>>>(words, low, right);
    cudaStreamDestroy(stream);
}

__global__ void increment(int *p) { atomicAdd(p, 1); }
__global__ void give_shared() {
    __shared__ int mine;
    mine = 0;
    increment<<<1, 1>>>(&mine);
}

int main(int argc, char **) {
    if (argc > 1) {
        give_shared<<<1, 1>>>();
        return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 3 : 0;
    }
    line host[LINES], *lines;
    float *sum, expected = 0;
    unsigned words[WORDS], *device;
    for (int l = 0; l < LINES; l++) {
        host[l].slope = l % 7;
        for (int i = 0; i < 1 + l % 50; i++)
            expected += (float)(host[l].slope * i);
    }
    cudaMalloc((void **)&lines, sizeof host);
    cudaMemcpy(lines, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMallocManaged((void **)&sum, sizeof *sum);
    *sum = 0;
    start_lines<<<3, 32>>>(lines, sum);
    free_lines<<<3, 32>>>(lines);
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = i * 2654435761u % 1000;
    cudaMalloc((void **)&device, sizeof words);
    cudaMemcpy(device, words, sizeof words, cudaMemcpyHostToDevice);
    sort<<<1, 1>>>(device, 0, WORDS - 1);
    const bool done = cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(words, device, sizeof words, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 1; i < WORDS; i++)
        wrong += words[i - 1] > words[i];
    printf("nested: %s, %d wrong\n", done && *sum == expected ? "right" : "wrong", wrong);
    cudaFree(lines);
    cudaFree(sum);
    cudaFree(device);
    return 0;
}
