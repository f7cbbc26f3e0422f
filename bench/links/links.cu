/* links.cu - how fast this machine's GPUs copy: to each other, from and to the host, at once. A
 * line for each as gpu/two_gpus.sh keeps it.
 *
 *     nvcc -O2 -Icommon bench/links/links.cu -o links && ./links */
#include "cuda_check.h"
#include "timing.h"

enum { MOST = 16, REPEATS = 9 };
static const size_t BYTES = 512 << 20;

typedef struct gpu {
    char *memory, *other, *pinned, *other_pinned; /* the others are written */
    cudaStream_t up, down;                        /* peer copies: down */
} gpu;
static gpu gpus[MOST];
static int count;

typedef enum way { PEER = 1, UP = 2, DOWN = 4 } way;

static void start_copy(way which, int device) {
    const gpu *g = &gpus[device];
    const int next = (device + 1) % count;
    if (which == PEER)
        CUDA_CHECK(cudaMemcpyPeerAsync(gpus[next].other, next, g->memory, device, BYTES, g->down));
    else if (which == UP)
        CUDA_CHECK(cudaMemcpyAsync(g->other, g->pinned, BYTES, cudaMemcpyHostToDevice, g->up));
    else
        CUDA_CHECK(
            cudaMemcpyAsync(g->other_pinned, g->memory, BYTES, cudaMemcpyDeviceToHost, g->down));
}

/* The median rate of a device's copies while those of all devices before `devices` run. ways: one
 * or two of them, UP | DOWN for both at once, of which the slower one counts. */
static void measure(int ways, int devices, const char *text) {
    double seconds[MOST][REPEATS];
    for (int i = -1; i < REPEATS; i++) { /* one to warm up */
        kernel_timer timers[MOST][DOWN + 1];
        for (int d = 0; d < devices; d++) {
            CUDA_CHECK(cudaSetDevice(d));
            for (int way = PEER; way <= DOWN; way *= 2)
                if (ways & way) {
                    const cudaStream_t stream = way == UP ? gpus[d].up : gpus[d].down;
                    timers[d][way] = begin_kernel_timer(stream);
                    start_copy((enum way)way, d);
                    end_kernel_timer(&timers[d][way], stream);
                }
        }
        for (int d = 0; d < devices; d++) {
            CUDA_CHECK(cudaSetDevice(d));
            double *slowest = &seconds[d][i < 0 ? 0 : i];
            *slowest = 0;
            for (int way = PEER; way <= DOWN; way *= 2)
                if (ways & way)
                    *slowest = fmax(*slowest, read_kernel_timer(&timers[d][way]));
        }
    }
    for (int d = 0; d < devices; d++)
        printf("# %s, device %d: %.1f GB/s\n", text, d,
               (double)BYTES / median(seconds[d], REPEATS) * 1e-9);
}

int main(void) {
    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (count < 2 || count > MOST) {
        fprintf(stderr, "links: %d devices; it needs 2 to %d\n", count, MOST);
        return 77;
    }
    for (int d = 0; d < count; d++) {
        gpu *g = &gpus[d];
        const int next = (d + 1) % count;
        int reaches;
        CUDA_CHECK(cudaSetDevice(d));
        CUDA_CHECK(cudaDeviceCanAccessPeer(&reaches, d, next));
        printf("# device %d reaches %d: %d\n", d, next, reaches);
        if (reaches)
            CUDA_CHECK(cudaDeviceEnablePeerAccess(next, 0));
        CUDA_CHECK(cudaMalloc(&g->memory, BYTES));
        CUDA_CHECK(cudaMalloc(&g->other, BYTES));
        CUDA_CHECK(cudaMallocHost(&g->pinned, BYTES));
        CUDA_CHECK(cudaMallocHost(&g->other_pinned, BYTES));
        CUDA_CHECK(cudaStreamCreateWithFlags(&g->up, cudaStreamNonBlocking));
        CUDA_CHECK(cudaStreamCreateWithFlags(&g->down, cudaStreamNonBlocking));
    }
    measure(PEER, 1, "peer copy one way");
    measure(PEER, count, "peer copies both ways");
    measure(UP, 1, "pinned up, alone");
    measure(UP, count, "pinned up, all at once");
    measure(DOWN, count, "pinned down, all at once");
    measure(UP | DOWN, 1, "pinned each way of both, alone");
    measure(UP | DOWN, count, "pinned each way of both, all at once");
    return 0;
}
