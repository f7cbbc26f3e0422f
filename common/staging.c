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

enum { BUFFERS = 16, BUFFER_BYTES = 2 << 20, LOT_BYTES = 128 << 10 };

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

static void copy_by_host(void *argument, size_t first, size_t count) {
    const buffer *b = argument;
    for (size_t row = first; row < first + count; row++) {
        char *host = b->host + row * b->host_pitch, *pinned = b->pinned + row * b->pitch;
        if (b->past_caches)
            copy_past_caches(pinned, host, b->row_bytes);
        else
            memcpy(b->up ? pinned : host, b->up ? host : pinned, b->row_bytes);
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

/* A copy on its way: its pieces, of so many rows, go through a ring one behind the other. */
typedef struct passage {
    const copy_2d *copy;
    struct ring *ring;
    size_t at_once, count; /* rows of a piece, pieces */
} passage;

static int goes_up(const copy_2d *c) { return c->kind == cudaMemcpyHostToDevice; }

static passage start_passage(const copy_2d *c) {
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    /* Few rows take several buffers all the same, so that the two copies overlap. */
    const size_t fitting = BUFFER_BYTES / (goes_up(c) ? c->to_pitch : c->from_pitch),
                 part = c->rows / (BUFFERS / 4) + 1, at_once = part < fitting ? part : fitting;
    return (passage){c, &rings[device][goes_up(c)], at_once, (c->rows + at_once - 1) / at_once};
}

/* The first copy of piece i: by the host on the way up, by the device on the way down. */
static void begin_piece(const passage *p, size_t i) {
    const copy_2d *c = p->copy;
    const int up = goes_up(c);
    const size_t row = i * p->at_once, left = c->rows - row;
    buffer *b = &p->ring->buffers[(p->ring->next + i) % BUFFERS];
    make(b);
    finish(b);
    b->in_use = 1;
    b->up = up;
    /* Of many, the host is so far ahead that a piece has left the cache when the device comes. */
    b->past_caches = up && p->count <= BUFFERS / 2;
    b->pitch = up ? c->to_pitch : c->from_pitch;
    b->host_pitch = up ? c->from_pitch : c->to_pitch;
    b->host = (up ? (char *)c->from : (char *)c->to) + row * b->host_pitch;
    b->row_bytes = c->row_bytes;
    b->by_host = (task){.perform = copy_by_host,
                        .argument = b,
                        .count = left < p->at_once ? left : p->at_once,
                        .lot = LOT_BYTES / c->row_bytes + 1};
    if (up)
        start_task(&b->by_host);
    else
        copy_by_device(b, (char *)c->from + row * b->pitch, c->stream);
}

/* The second copy of piece i. */
static void end_piece(const passage *p, size_t i) {
    const copy_2d *c = p->copy;
    buffer *b = &p->ring->buffers[(p->ring->next + i) % BUFFERS];
    if (b->up) {
        wait_for_task(&b->by_host);
        copy_by_device(b, (char *)c->to + i * p->at_once * b->pitch, c->stream);
    } else {
        CUDA_CHECK(cudaEventSynchronize(b->sent));
        start_task(&b->by_host);
    }
}

void staged_copies(const copy_2d *copies, int count) {
    passage passages[2];
    size_t most = 0;
    for (int c = 0; c < count; c++) {
        passages[c] = start_passage(&copies[c]);
        most = passages[c].count > most ? passages[c].count : most;
    }
    for (size_t i = 0; i < most + BUFFERS / 2; i++)
        for (int c = 0; c < count; c++) {
            if (i < passages[c].count)
                begin_piece(&passages[c], i);
            if (i >= BUFFERS / 2 && i - BUFFERS / 2 < passages[c].count)
                end_piece(&passages[c], i - BUFFERS / 2);
        }
    for (int c = 0; c < count; c++)
        passages[c].ring->next += passages[c].count;
}

void staged_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                 size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream) {
    const copy_2d copy = {to, to_pitch, from, from_pitch, row_bytes, rows, kind, stream};
    staged_copies(&copy, 1);
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
