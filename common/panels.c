/* panels.c - the host's side of step 13, for any kernel. */
#include "panels.h"
#include "cuda_check.h"
#include "staging.h"
#include "timing.h"
#include "workspace.h"

size_t pad_to_tile(int n, size_t tile) { return ((size_t)n + tile - 1) / tile * tile; }

static void send(float *to, size_t pitch, const float *from, int ld, size_t row_bytes, size_t rows,
                 const workspace *w) {
    staged_copy(to, pitch, from, (size_t)ld * sizeof(float), row_bytes, rows,
                cudaMemcpyHostToDevice, w->up);
    CUDA_CHECK(cudaEventRecord(w->sent, w->up));
    CUDA_CHECK(cudaStreamWaitEvent(w->product, w->sent, 0));
}

matmult_result multiply_in_panels(const float *a, int lda, const float *b, int ldb, float *c,
                                  int ldc, int n, const panel_plan *plan) {
    static char note[120];
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    const size_t rows = (size_t)n, row_bytes = rows * sizeof(float);
    const size_t padded = pad_to_tile(n, plan->tile), pitch = padded * sizeof(float);
    const size_t size = padded * padded, end = rows * padded, tiles = padded / plan->tile;
    enum { COUNT_FLOATS = 64 }; /* so that all is aligned */
    const workspace *w = get_workspace((3 * size + COUNT_FLOATS) * sizeof(float) + plan->more);
    const device_matrices matrices = {.n = padded,
                                      .count = (void *)w->memory,
                                      .a = w->memory + COUNT_FLOATS,
                                      .b = w->memory + COUNT_FLOATS + size,
                                      .c = w->memory + COUNT_FLOATS + 2 * size,
                                      .more = w->memory + COUNT_FLOATS + 3 * size},
                          *const m = &matrices;
    unsigned long long count;
    CUDA_CHECK(cudaMemsetAsync(m->count, 0, sizeof count, w->product));
    CUDA_CHECK(cudaMemsetAsync(m->a + end, 0, (size - end) * sizeof(float), w->up));
    CUDA_CHECK(cudaMemsetAsync(m->b + end, 0, (size - end) * sizeof(float), w->up));
    send(m->b, pitch, b, ldb, row_bytes, rows, w);
    kernel_timer prepared = begin_kernel_timer(w->product), timers[2]; /* of two panels */
    plan->prepare(m, w->product);
    end_kernel_timer(&prepared, w->product);

    const size_t panel = (plan->panel + tiles - 1) / tiles * plan->tile;
    for (size_t row = 0, i = 0; row < rows + panel; row += panel, i++) {
        if (row < rows) {
            const size_t sent = rows - row < panel ? rows - row : panel;
            send(m->a + row * padded, pitch, a + row * (size_t)lda, lda, row_bytes, sent, w);
            timers[i % 2] = begin_kernel_timer(w->product);
            plan->multiply(m, row, pad_to_tile((int)sent, plan->tile), w->product);
            end_kernel_timer(&timers[i % 2], w->product);
        }
        if (row > 0) { /* the panel before is on its way back */
            const size_t from = row - panel, back = rows - from < panel ? rows - from : panel;
            CUDA_CHECK(cudaStreamWaitEvent(w->down, timers[(i + 1) % 2].stop, 0));
            staged_copy(c + from * (size_t)ldc, (size_t)ldc * sizeof(float), m->c + from * padded,
                        pitch, row_bytes, back, cudaMemcpyDeviceToHost, w->down);
            result.kernel += read_kernel_timer(&timers[(i + 1) % 2]);
        }
    }
    result.kernel += read_kernel_timer(&prepared);
    finish_staged_copies();
    CUDA_CHECK(cudaMemcpy(&count, m->count, sizeof count, cudaMemcpyDeviceToHost));
    if (count) {
        snprintf(note, sizeof note, "%llu %s", count, plan->note);
        result.note = note;
    }
    result.total = wall_seconds() - start;
    return result;
}
