/* timeline.c - when each copy and each kernel of a step runs: a line of CSV for each, in one call
 * after others. Linked with --wrap, so that the step stays as it is.
 *
 *     timeline N */
#include "cuda_check.h"
#include "matgen.h"
#include "matmult.h"
#include "tasks.h"
#include "timing.h"
#include <pthread.h>
#include <string.h>

enum { MOST = 1 << 16, MOST_TASKS = 64, MOST_THREADS = 64, CALLS = 5 };

typedef struct span {
    const char *what;
    int lane;             /* of the host: a thread */
    double start, end;    /* seconds of the host's clock */
    cudaEvent_t from, to; /* or of the device */
    size_t bytes;
} span;

static span spans[MOST];
static int count, recording;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static span *add_span(const char *what, size_t bytes) {
    pthread_mutex_lock(&lock);
    if (count == MOST)
        exit(1);
    span *s = &spans[count++];
    pthread_mutex_unlock(&lock);
    s->what = what;
    s->bytes = bytes;
    return s;
}

static cudaEvent_t record(cudaStream_t stream) {
    cudaEvent_t event;
    CUDA_CHECK(cudaEventCreate(&event));
    CUDA_CHECK(cudaEventRecord(event, stream));
    return event;
}

cudaError_t __real_cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    span *s = recording
                  ? add_span(kind == cudaMemcpyHostToDevice ? "device up" : "device down", bytes)
                  : NULL;
    if (s)
        s->from = record(stream);
    const cudaError_t error = __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
    if (s)
        s->to = record(stream);
    return error;
}

static span *kernel;
kernel_timer __real_begin_kernel_timer(cudaStream_t);
kernel_timer __wrap_begin_kernel_timer(cudaStream_t stream);
kernel_timer __wrap_begin_kernel_timer(cudaStream_t stream) {
    if (recording) {
        kernel = add_span("kernel", 0);
        kernel->from = record(stream);
    }
    return __real_begin_kernel_timer(stream);
}
void __real_end_kernel_timer(const kernel_timer *, cudaStream_t);
void __wrap_end_kernel_timer(const kernel_timer *timer, cudaStream_t stream);
void __wrap_end_kernel_timer(const kernel_timer *timer, cudaStream_t stream) {
    if (recording)
        kernel->to = record(stream);
    __real_end_kernel_timer(timer, stream);
}

/* What a task performs; its own function is called in between. */
static struct {
    task *of;
    void (*perform)(void *, size_t, size_t);
    void *argument;
} wrapped[MOST_TASKS];

static int find_lane(void) {
    static pthread_t threads[MOST_THREADS];
    static int known;
    int lane = 0;
    pthread_mutex_lock(&lock);
    while (lane < known && !pthread_equal(threads[lane], pthread_self()))
        lane++;
    if (lane == known && known < MOST_THREADS)
        threads[known++] = pthread_self();
    pthread_mutex_unlock(&lock);
    return lane;
}

static void perform_and_record(void *argument, size_t first, size_t parts) {
    const size_t i = (size_t)argument;
    span *s = recording ? add_span("host", parts) : NULL;
    if (s) {
        s->lane = find_lane();
        s->start = wall_seconds();
    }
    wrapped[i].perform(wrapped[i].argument, first, parts);
    if (s)
        s->end = wall_seconds();
}

void __real_start_task(task *);
void __wrap_start_task(task *t);
void __wrap_start_task(task *t) {
    size_t i = 0;
    while (i + 1 < MOST_TASKS && wrapped[i].of && wrapped[i].of != t)
        i++;
    wrapped[i].of = t;
    wrapped[i].perform = t->perform;
    wrapped[i].argument = t->argument;
    t->perform = perform_and_record;
    t->argument = (void *)i;
    __real_start_task(t);
}

static double seconds_since(cudaEvent_t start, cudaEvent_t event) {
    float milliseconds;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, event));
    return 1e-3 * (double)milliseconds;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n < 1) {
        fprintf(stderr, "usage: timeline N\n");
        return 2;
    }
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    if (!a || !b || !c) {
        fprintf(stderr, "timeline: no memory for %zu bytes\n", 3 * bytes);
        return 1;
    }
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    memset(c, 0xff, bytes);
    for (int i = 1; i < CALLS; i++)
        matmultCUDA(a, n, b, n, c, n, n);
    cudaEvent_t begin = record(0);
    CUDA_CHECK(cudaEventSynchronize(begin));
    const double start = wall_seconds();
    recording = 1;
    const matmult_result result = matmultCUDA(a, n, b, n, c, n, n);
    recording = 0;
    printf("# n = %d: total %.3f ms, kernels %.3f ms\n", n, 1e3 * result.total,
           1e3 * result.kernel);
    printf("what,lane,start_ms,end_ms,bytes\n");
    for (int i = 0; i < count; i++) {
        const span *s = &spans[i];
        const double from = s->from ? seconds_since(begin, s->from) : s->start - start,
                     to = s->to ? seconds_since(begin, s->to) : s->end - start;
        printf("%s,%d,%.4f,%.4f,%zu\n", s->what, s->lane, 1e3 * from, 1e3 * to, s->bytes);
    }
    free(a), free(b), free(c);
    return 0;
}
