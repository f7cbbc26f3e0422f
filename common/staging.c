/* staging.c - a ring of pinned buffers. Half of them may be in the first of their two copies, half
 * in the second: one is the host's, one the device's. */
#include "staging.h"
#include "cuda_check.h"
#include "tasks.h"
#include <string.h>

enum { BUFFERS = 16, BUFFER_BYTES = 2 << 20, LOT_BYTES = 128 << 10 };

typedef struct buffer {
    char *pinned, *host; /* the rows here, and in ordinary memory */
    size_t pitch, host_pitch, row_bytes;
    int up;           /* from host to pinned */
    task by_host;     /* the host's copy */
    cudaEvent_t sent; /* the device's copy is done */
} buffer;

static buffer buffers[BUFFERS];
static size_t next; /* buffer, modulo BUFFERS */

static void copy_by_host(void *argument, size_t first, size_t count) {
    const buffer *b = argument;
    for (size_t row = first; row < first + count; row++) {
        char *host = b->host + row * b->host_pitch, *pinned = b->pinned + row * b->pitch;
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
    if (!b->pinned)
        return;
    wait_for_task(&b->by_host);
    CUDA_CHECK(cudaEventSynchronize(b->sent));
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
    char *const device = up ? to : (char *)from, *const host = up ? (char *)from : to;
    /* Few rows take several buffers all the same, so that the two copies overlap. */
    const size_t fitting = BUFFER_BYTES / pitch, part = rows / (BUFFERS / 4) + 1,
                 at_once = part < fitting ? part : fitting, count = (rows + at_once - 1) / at_once;
    for (size_t i = 0; i < count + BUFFERS / 2; i++) {
        if (i < count) { /* the first copy of piece i */
            buffer *b = &buffers[(next + i) % BUFFERS];
            const size_t row = i * at_once, left = rows - row;
            make(b);
            finish(b);
            b->up = up;
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
            buffer *b = &buffers[(next + j) % BUFFERS];
            if (up) {
                wait_for_task(&b->by_host);
                copy_by_device(b, device + j * at_once * pitch, stream);
            } else {
                CUDA_CHECK(cudaEventSynchronize(b->sent));
                start_task(&b->by_host);
            }
        }
    }
    next += count;
}

void finish_staged_copies(void) {
    for (int i = 0; i < BUFFERS; i++)
        finish(&buffers[i]);
}

void free_staging(void) {
    end_tasks();
    cudaDeviceSynchronize();
    for (int i = 0; i < BUFFERS; i++) {
        if (buffers[i].pinned)
            cudaFreeHost(buffers[i].pinned);
        if (buffers[i].sent)
            cudaEventDestroy(buffers[i].sent);
        buffers[i] = (buffer){0};
    }
}
