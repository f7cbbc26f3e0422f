/* latency.cu - the time from one dependent operation to the next, for one thread.
 *
 * Each load brings the address of the next, in random order, so nothing overlaps and nothing can
 * be guessed. What is read comes from the nearest memory that holds all of it. */
#include "cuda_check.h"
#include "device_clock.h"
#include "tables.h"

enum { HOPS = 1 << 16, LINE = 128, SHARED_WORDS = 4096 };

typedef struct duration {
    long long cycles, ns;
    size_t end; /* so that the chain is computed */
} duration;

static __global__ void fma_kernel(duration *out, float x) {
    long long cycles = clock64(), ns = read_ns();
#pragma unroll 16
    for (int i = 0; i < HOPS; i++)
        x = fmaf(x, 0.99f, 0.01f);
    *out = {clock64() - cycles, read_ns() - ns, (size_t)x};
}

static __global__ void shared_kernel(duration *out, unsigned step) {
    __shared__ unsigned next[SHARED_WORDS];
    for (unsigned i = 0; i < SHARED_WORDS; i++)
        next[i] = (i + step) % SHARED_WORDS;
    unsigned at = 0;
    long long cycles = clock64(), ns = read_ns();
#pragma unroll 16
    for (int i = 0; i < HOPS; i++)
        at = next[at];
    *out = {clock64() - cycles, read_ns() - ns, at};
}

/* Each line holds the address of another one: a first walk of so many hops, then HOPS measured. */
static __global__ void global_kernel(duration *out, const size_t *start, size_t warm_up) {
    const size_t *at = start;
    for (size_t i = 0; i < warm_up; i++)
        at = (const size_t *)*at;
    long long cycles = clock64(), ns = read_ns();
#pragma unroll 16
    for (int i = 0; i < HOPS; i++)
        at = (const size_t *)*at;
    *out = {clock64() - cycles, read_ns() - ns, (size_t)at};
}

static void print_row(const char *place, size_t bytes, const duration *device) {
    duration d;
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&d, device, sizeof d, cudaMemcpyDeviceToHost));
    printf("%s,%zu,%.1f,%.2f\n", place, bytes, (double)d.cycles / HOPS, (double)d.ns / HOPS);
}

/* One circle through all lines in random order (Sattolo's shuffle); device addresses from first. */
static size_t *make_circle(size_t lines, const char *first) {
    size_t *order = (size_t *)malloc(lines * sizeof *order);
    size_t *image = (size_t *)calloc(lines, LINE);
    if (!order || !image) {
        fprintf(stderr, "no memory for %zu lines\n", lines);
        exit(1);
    }
    unsigned long long state = 1;
    for (size_t i = 0; i < lines; i++)
        order[i] = i;
    for (size_t i = lines - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t other = (size_t)(state >> 33) % i, swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        image[order[i] * (LINE / sizeof *image)] = (size_t)(first + order[(i + 1) % lines] * LINE);
    free(order);
    return image;
}

void table_latency(void) {
    duration *out;
    CUDA_CHECK(cudaMalloc(&out, sizeof *out));
    printf("place,bytes,cycles,ns\n");
    fma_kernel<<<1, 1>>>(out, 1);
    fma_kernel<<<1, 1>>>(out, 1);
    print_row("fma", 0, out);
    shared_kernel<<<1, 1>>>(out, 33);
    print_row("shared", SHARED_WORDS * sizeof(unsigned), out);
    for (size_t bytes = (size_t)16 << 10; bytes <= (size_t)1 << 30; bytes *= 2) {
        char *device;
        CUDA_CHECK(cudaMalloc(&device, bytes));
        size_t lines = bytes / LINE, *image = make_circle(lines, device);
        CUDA_CHECK(cudaMemcpy(device, image, bytes, cudaMemcpyHostToDevice));
        global_kernel<<<1, 1>>>(out, (const size_t *)device, lines <= HOPS * 8 ? lines : 0);
        print_row("global", bytes, out);
        CUDA_CHECK(cudaFree(device));
        free(image);
    }
    CUDA_CHECK(cudaFree(out));
}
