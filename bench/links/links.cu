/* links.cu - what bounds the copies of a product on this machine: its links alone and together, the
 * threads of its host alone, and both at once, as common/staging.c copies. A line for each, as
 * gpu/two_gpus.sh keeps it.
 *
 *     make BACKEND=gpu build/gpu/libcommon.a
 *     nvcc -O2 -Icommon bench/links/links.cu build/gpu/libcommon.a -o links && ./links [MB] */
#include "cuda_check.h"
#include "staging.h"
#include "tasks.h"
#include "timing.h"
#include "workspace.h"
#include <pthread.h>
#include <string.h>

enum { MOST = 16, REPEATS = 9, RING = 16, PIECE = 2 << 20, LOT = 256 << 10 };
static size_t bytes = 512 << 20; /* of a copy */

typedef struct gpu {
    char *memory, *other, *pinned, *other_pinned; /* the others are written */
    char *plain, *other_plain;                    /* ordinary memory of the host */
    cudaStream_t up, down;                        /* peer copies: down */
} gpu;
static gpu gpus[MOST];
static int count;

typedef enum way { PEER = 1, UP = 2, DOWN = 4 } way;

static void report(const char *text, int device, double *seconds) {
    printf("# %s, device %d: %.1f GB/s\n", text, device,
           (double)bytes / median(seconds, REPEATS) * 1e-9);
}

/* ---- the links ---- */
static void start_copy(way which, int device) {
    const gpu *g = &gpus[device];
    const int next = (device + 1) % count;
    if (which == PEER)
        CUDA_CHECK(cudaMemcpyPeerAsync(gpus[next].other, next, g->memory, device, bytes, g->down));
    else if (which == UP)
        CUDA_CHECK(cudaMemcpyAsync(g->other, g->pinned, bytes, cudaMemcpyHostToDevice, g->up));
    else
        CUDA_CHECK(
            cudaMemcpyAsync(g->other_pinned, g->memory, bytes, cudaMemcpyDeviceToHost, g->down));
}

/* The median rate of a device's copies while those of all devices before `devices` run. ways: one
 * or two of them, UP | DOWN for both at once, of which the slower one counts. */
static void measure_links(int ways, int devices, const char *text) {
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
        report(text, d, seconds[d]);
}

/* ---- a rank of the copies: a thread of the host for each device ---- */
typedef struct job {
    int device, ways;
    double seconds[REPEATS];
} job;
static pthread_barrier_t barrier;

/* Lots of rows to or from a ring of pinned buffers, as the host copies them. */
static void copy_up(void *argument, size_t first, size_t lots) {
    const gpu *g = (const gpu *)argument;
    for (size_t i = first; i < first + lots; i++)
        memcpy(g->pinned + i * LOT % (RING * PIECE), g->plain + i * LOT, LOT);
}
static void copy_down(void *argument, size_t first, size_t lots) {
    const gpu *g = (const gpu *)argument;
    for (size_t i = first; i < first + lots; i++)
        memcpy(g->other_plain + i * LOT, g->other_pinned + i * LOT % (RING * PIECE), LOT);
}

static void copy_by_threads(const job *j) {
    task up = {copy_up, &gpus[j->device], bytes / LOT, 1, 0, 0, NULL}, down = up;
    down.perform = copy_down;
    if (j->ways & UP)
        start_task(&up);
    if (j->ways & DOWN)
        start_task(&down);
    if (j->ways & UP)
        wait_for_task(&up);
    if (j->ways & DOWN)
        wait_for_task(&down);
}

static void copy_staged(const job *j) {
    enum { ROW = 64 << 10 };
    const gpu *g = &gpus[j->device];
    const copy_2d rows_of[] = {{g->other, ROW, g->plain, ROW, ROW, j->ways & UP ? bytes / ROW : 0,
                                cudaMemcpyHostToDevice, g->up},
                               {g->other_plain, ROW, g->memory, ROW, ROW,
                                j->ways & DOWN ? bytes / ROW : 0, cudaMemcpyDeviceToHost, g->down}};
    transfer ways[] = {start_transfer(&rows_of[0]), start_transfer(&rows_of[1])};
    while (!is_over(&ways[0]) || !is_over(&ways[1]))
        for (int i = 0; i < 2; i++)
            if (!is_over(&ways[i]))
                advance(&ways[i]);
    finish_staged_copies();
    CUDA_CHECK(cudaStreamSynchronize(g->up));
}

typedef void copies(const job *);
static copies *chosen;

static void *perform(void *argument) {
    job *j = (job *)argument;
    CUDA_CHECK(cudaSetDevice(j->device));
    for (int i = -1; i < REPEATS; i++) {
        pthread_barrier_wait(&barrier);
        const double start = wall_seconds();
        chosen(j);
        j->seconds[i < 0 ? 0 : i] = wall_seconds() - start;
    }
    return NULL;
}

/* The same as measure_links, of copies in which the host's threads take part. */
static void measure(copies *by, int ways, int devices, const char *text) {
    pthread_t threads[MOST];
    job jobs[MOST];
    chosen = by;
    pthread_barrier_init(&barrier, NULL, (unsigned)devices);
    for (int d = 0; d < devices; d++) {
        jobs[d].device = d;
        jobs[d].ways = ways;
        if (pthread_create(&threads[d], NULL, perform, &jobs[d]) != 0)
            exit(1);
    }
    for (int d = 0; d < devices; d++)
        pthread_join(threads[d], NULL);
    pthread_barrier_destroy(&barrier);
    for (int d = 0; d < devices; d++)
        report(text, d, jobs[d].seconds);
}

static void prepare(int d) {
    gpu *g = &gpus[d];
    const int next = (d + 1) % count;
    int reaches = 0;
    CUDA_CHECK(cudaSetDevice(d));
    if (next != d) {
        CUDA_CHECK(cudaDeviceCanAccessPeer(&reaches, d, next));
        printf("# device %d reaches %d: %d\n", d, next, reaches);
    }
    if (reaches)
        CUDA_CHECK(cudaDeviceEnablePeerAccess(next, 0));
    CUDA_CHECK(cudaMalloc((void **)&g->memory, bytes));
    CUDA_CHECK(cudaMalloc((void **)&g->other, bytes));
    CUDA_CHECK(cudaMallocHost((void **)&g->pinned, bytes));
    CUDA_CHECK(cudaMallocHost((void **)&g->other_pinned, bytes));
    CUDA_CHECK(cudaMemset(g->memory, 0, bytes));
    g->plain = (char *)malloc(bytes);
    g->other_plain = (char *)malloc(bytes);
    if (!g->plain || !g->other_plain) {
        fprintf(stderr, "links: no memory\n");
        exit(1);
    }
    memset(g->plain, 1, bytes);
    memset(g->other_plain, 1, bytes);
    g->up = get_workspace(0)->up;
    g->down = get_workspace(0)->down;
}

int main(int arguments, char **argument) {
    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (arguments > 1)
        bytes = (size_t)atoi(argument[1]) << 20;
    if (count > MOST || bytes < RING * PIECE) {
        fprintf(stderr, "links: %d devices, %zu bytes; it needs 1 to %d, and at least %d\n", count,
                bytes, MOST, RING * PIECE);
        return 77;
    }
    for (int d = 0; d < count; d++)
        prepare(d);
    expect_task_users(count);
    if (count > 1) {
        measure_links(PEER, 1, "peer copy one way");
        measure_links(PEER, count, "peer copies both ways");
    }
    for (int devices = 1; devices <= count; devices += count > 1 ? count - 1 : 1) {
        const char *when = devices == 1 ? "alone" : "all at once";
        static const struct {
            int ways;
            const char *text;
        } WAYS[] = {{UP, "up"}, {DOWN, "down"}, {UP | DOWN, "each way of both"}};
        for (const auto &of : WAYS) {
            char text[100];
            snprintf(text, sizeof text, "pinned %s, %s", of.text, when);
            measure_links(of.ways, devices, text);
            snprintf(text, sizeof text, "threads %s, %s", of.text, when);
            measure(copy_by_threads, of.ways, devices, text);
            snprintf(text, sizeof text, "staged %s, %s", of.text, when);
            measure(copy_staged, of.ways, devices, text);
        }
    }
    return 0;
}
