/* staging.h - copies between ordinary memory and the device that are as fast as those of pinned
 * memory. Chapter: docs/13_overlapped.md */
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

/* Some of them at the same time: none, one, or one each way. */
void staged_copies(const copy_2d *copies, int count);

/* Returns when nothing is on its way to or from the current device. */
void finish_staged_copies(void);

/* Ends the threads and frees the buffers, which the first copy made; for exit, also after a
 * failure. */
void free_staging(void);

#ifdef __cplusplus
}
#endif
#endif
