/* staging.c - a ring of pinned buffers for each way. Half of a ring may be in the first of the two
 * copies, half in the second: one is the host's, one the device's. */
#include "staging.h"
#include "cuda_check.h"
#include "tasks.h"
#include "workspace.h"
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BUFFERS = 16, BUFFER_BYTES = 2 << 20, LOT = 256 << 10, SMALL_LOT = 128 << 10 };

typedef struct buffer {
    char *pinned, *host; /* the rows here, and in ordinary memory */
    size_t pitch, host_pitch, row_bytes;
    int in_use;       /* nobody has waited for its copies yet */
    int up;           /* from host to pinned */
    int past_caches;  /* the host's copy */
    task by_host;     /* the host's copy */
    cudaEvent_t sent; /* the device's copy is done */
} buffer;

static struct ring {
    buffer buffers[BUFFERS];
    size_t next;          /* buffer, modulo BUFFERS */
} rings[MOST_DEVICES][2]; /* down, up */

/* memcpy past the caches, where the processor can: the device reads memory twice as fast as what a
 * core has just written to its cache. */
static void copy_past_caches(char *to, const char *from, size_t bytes) {
    size_t i = 0;
#ifdef __SSE2__
    if ((uintptr_t)to % sizeof(__m128i) == 0)
        for (; i + sizeof(__m128i) <= bytes; i += sizeof(__m128i))
            _mm_stream_si128((void *)(to + i), _mm_loadu_si128((const void *)(from + i)));
    _mm_sfence(); /* written before the task is done */
#endif
    memcpy(to + i, from + i, bytes - i);
}

static void copy(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }

static void copy_by_host(void *argument, size_t first, size_t count) {
    const buffer *b = argument;
    for (size_t row = first; row < first + count; row++) {
        char *host = b->host + row * b->host_pitch, *pinned = b->pinned + row * b->pitch;
        (b->past_caches ? copy_past_caches : copy)(b->up ? pinned : host, b->up ? host : pinned,
                                                   b->row_bytes);
        if (b->up)
            memset(pinned + b->row_bytes, 0, b->pitch - b->row_bytes);
    }
}

static void copy_by_device(buffer *b, char *device, cudaStream_t stream) {
    const size_t bytes = b->by_host.count * b->pitch;
    if (b->up)
        CUDA_CHECK(cudaMemcpyAsync(device, b->pinned, bytes, cudaMemcpyHostToDevice, stream));
    else
        CUDA_CHECK(cudaMemcpyAsync(b->pinned, device, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaEventRecord(b->sent, stream));
}

/* Waits until both copies are done. */
static void finish(buffer *b) {
    if (!b->in_use)
        return;
    wait_for_task(&b->by_host);
    CUDA_CHECK(cudaEventSynchronize(b->sent));
    b->in_use = 0;
}

static void make(buffer *b) {
    if (!b->sent)
        CUDA_CHECK(cudaEventCreateWithFlags(&b->sent, cudaEventDisableTiming));
    if (!b->pinned)
        CUDA_CHECK(cudaMallocHost((void **)&b->pinned, BUFFER_BYTES));
}

static int goes_up(const copy_2d *c) { return c->kind == cudaMemcpyHostToDevice; }

transfer start_transfer(const copy_2d *copy) {
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    struct ring *ring = &rings[device][goes_up(copy)];
    /* Few rows take several buffers all the same, so that the two copies overlap. */
    const size_t fitting = BUFFER_BYTES / (goes_up(copy) ? copy->to_pitch : copy->from_pitch),
                 part = copy->rows / (BUFFERS / 4) + 1, at_once = part < fitting ? part : fitting,
                 count = (copy->rows + at_once - 1) / at_once;
    const transfer t = {.copy = *copy, .rows = at_once, .count = count, .first = ring->next};
    ring->next += count;
    return t;
}

static buffer *find_buffer(const transfer *t, size_t i) {
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    return &rings[device][goes_up(&t->copy)].buffers[(t->first + i) % BUFFERS];
}

/* The first copy of piece i: by the host on the way up, by the device on the way down. */
static void begin_piece(const transfer *t, size_t i) {
    const copy_2d *c = &t->copy;
    const int up = goes_up(c), few = t->count <= BUFFERS / 2;
    const size_t row = i * t->rows, left = c->rows - row;
    buffer *b = find_buffer(t, i);
    make(b);
    finish(b);
    b->in_use = 1;
    b->up = up;
    /* Of many pieces up, the host is so far ahead that they have left the cache when the device
     * comes; rows down need not be read before they are written. */
    b->past_caches = up ? few : !few;
    b->pitch = up ? c->to_pitch : c->from_pitch;
    b->host_pitch = up ? c->from_pitch : c->to_pitch;
    b->host = (up ? (char *)c->from : (char *)c->to) + row * b->host_pitch;
    b->row_bytes = c->row_bytes;
    b->by_host = (task){.perform = copy_by_host,
                        .argument = b,
                        .count = left < t->rows ? left : t->rows,
                        .lot = (few ? SMALL_LOT : LOT) / c->row_bytes + 1};
    if (up)
        start_task(&b->by_host);
    else
        copy_by_device(b, (char *)c->from + row * b->pitch, c->stream);
}

/* The second copy of piece i. */
static void end_piece(const transfer *t, size_t i) {
    buffer *b = find_buffer(t, i);
    if (b->up) {
        wait_for_task(&b->by_host);
        copy_by_device(b, (char *)t->copy.to + i * t->rows * b->pitch, t->copy.stream);
    } else {
        CUDA_CHECK(cudaEventSynchronize(b->sent));
        start_task(&b->by_host);
    }
}

int is_over(const transfer *t) { return t->step >= t->count + BUFFERS / 2; }

static size_t rows_of(const transfer *t, size_t pieces) {
    return pieces * t->rows < t->copy.rows ? pieces * t->rows : t->copy.rows;
}
size_t rows_wanted(const transfer *t) { return t->step < t->count ? rows_of(t, t->step + 1) : 0; }
size_t rows_sent(const transfer *t) {
    return t->step <= BUFFERS / 2 ? 0 : rows_of(t, t->step - BUFFERS / 2);
}

void advance(transfer *t) {
    const size_t i = t->step++;
    if (i < t->count)
        begin_piece(t, i);
    if (i >= BUFFERS / 2)
        end_piece(t, i - BUFFERS / 2);
}

void finish_transfer(transfer *t) {
    while (!is_over(t))
        advance(t);
}

void stop_transfer(transfer *t) {
    if (t->step < t->count)
        t->count = t->step;
}

void staged_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                 size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream) {
    const copy_2d copy = {to, to_pitch, from, from_pitch, row_bytes, rows, kind, stream};
    transfer t = start_transfer(&copy);
    finish_transfer(&t);
}

void finish_staged_copies(void) {
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    for (int up = 0; up < 2; up++)
        for (int i = 0; i < BUFFERS; i++)
            finish(&rings[device][up].buffers[i]);
}

static void free_buffer(buffer *b) {
    if (b->pinned)
        cudaFreeHost(b->pinned);
    if (b->sent)
        cudaEventDestroy(b->sent);
    *b = (buffer){0};
}

void free_staging(void) {
    end_tasks();
    for (int device = 0; device < MOST_DEVICES; device++)
        if (rings[device][0].buffers[0].sent || rings[device][1].buffers[0].sent) {
            cudaSetDevice(device);
            cudaDeviceSynchronize();
            for (int up = 0; up < 2; up++)
                for (int i = 0; i < BUFFERS; i++)
                    free_buffer(&rings[device][up].buffers[i]);
        }
}
