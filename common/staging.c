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

void staged_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                 size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream) {
    const int up = kind == cudaMemcpyHostToDevice;
    const size_t pitch = up ? to_pitch : from_pitch, host_pitch = up ? from_pitch : to_pitch;
    int device_number;
    CUDA_CHECK(cudaGetDevice(&device_number));
    struct ring *const ring = &rings[device_number][up];
    char *const device = up ? to : (char *)from, *const host = up ? (char *)from : to;
    /* Few rows take several buffers all the same, so that the two copies overlap. */
    const size_t fitting = BUFFER_BYTES / pitch, part = rows / (BUFFERS / 4) + 1,
                 at_once = part < fitting ? part : fitting, count = (rows + at_once - 1) / at_once;
    /* Of many, the host is so far ahead that a piece has left the cache when the device comes. */
    const int few = count <= BUFFERS / 2;
    for (size_t i = 0; i < count + BUFFERS / 2; i++) {
        if (i < count) { /* the first copy of piece i */
            buffer *b = &ring->buffers[(ring->next + i) % BUFFERS];
            const size_t row = i * at_once, left = rows - row;
            make(b);
            finish(b);
            b->in_use = 1;
            b->up = up;
            b->past_caches = up && few;
            b->host = host + row * host_pitch;
            b->host_pitch = host_pitch;
            b->pitch = pitch;
            b->row_bytes = row_bytes;
            b->by_host = (task){.perform = copy_by_host,
                                .argument = b,
                                .count = left < at_once ? left : at_once,
                                .lot = LOT_BYTES / row_bytes + 1};
            if (up)
                start_task(&b->by_host);
            else
                copy_by_device(b, device + row * pitch, stream);
        }
        if (i >= BUFFERS / 2) { /* the second copy of a piece before it */
            const size_t j = i - BUFFERS / 2;
            buffer *b = &ring->buffers[(ring->next + j) % BUFFERS];
            if (up) {
                wait_for_task(&b->by_host);
                copy_by_device(b, device + j * at_once * pitch, stream);
            } else {
                CUDA_CHECK(cudaEventSynchronize(b->sent));
                start_task(&b->by_host);
            }
        }
    }
    ring->next += count;
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
