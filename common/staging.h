/* staging.h - copies between ordinary memory and the device that are as fast as those of pinned
 * memory. Chapter: docs/34_overlapped.md */
#ifndef STAGING_H
#define STAGING_H
#include <cuda_runtime.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* cudaMemcpy2DAsync for ordinary memory: threads of the host copy the rows to pinned buffers, the
 * device from there, or the other way round. kind is cudaMemcpyHostToDevice or
 * cudaMemcpyDeviceToHost. When it returns, the device's copies are in the stream; those from the
 * device are done, but the host's memory is complete only after finish_staged_copies.
 *
 * The device copies whole rows of its pitch, at most 2 MB each, since many short ones take twice
 * as long. So on the way up what stands behind row_bytes becomes zero. Of one device: called by one
 * thread, with this device as the current one. Exits with a sentence when CUDA fails. */
void staged_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                 size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream);

/* The arguments of such a copy. */
typedef struct copy_2d {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, row_bytes, rows;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
} copy_2d;

/* Rows of floats on their way up, or down; leading dimensions and columns are elements. */
static inline copy_2d rows_up(float *to, size_t to_ld, const float *from, size_t from_ld,
                              size_t columns, size_t rows, cudaStream_t stream) {
    const size_t size = sizeof(float);
    const copy_2d copy = {to,   to_ld * size,           from,  from_ld * size, columns * size,
                          rows, cudaMemcpyHostToDevice, stream};
    return copy;
}
static inline copy_2d rows_down(float *to, size_t to_ld, const float *from, size_t from_ld,
                                size_t columns, size_t rows, cudaStream_t stream) {
    copy_2d copy = rows_up(to, to_ld, from, from_ld, columns, rows, stream);
    copy.kind = cudaMemcpyDeviceToHost;
    return copy;
}

/* The same in steps, so that others can go on meanwhile. Those of one way, up or down, are done in
 * the order in which they were started. */
typedef struct transfer {
    copy_2d copy;
    size_t rows, count, first, step; /* rows of a piece; pieces; the first one's buffer */
} transfer;

transfer start_transfer(const copy_2d *copy);
/* A step: the first copy of a piece begins, and the second one of an earlier piece, once its first
 * one is done. */
void advance(transfer *t);
int is_over(const transfer *t);
void finish_transfer(transfer *t);
/* No more pieces begin; to be advanced until it is over all the same. */
void stop_transfer(transfer *t);
/* Up to which row all must be there for the next step; 0 where all pieces have begun. */
size_t rows_wanted(const transfer *t);
/* Of a way up: the device's copies of so many rows are in the stream. */
size_t rows_sent(const transfer *t);

/* Returns when nothing is on its way to or from the current device. */
void finish_staged_copies(void);

/* Ends the threads and frees the buffers, which the first copy made; for exit, also after a
 * failure. */
void free_staging(void);

#ifdef __cplusplus
}
#endif
#endif
