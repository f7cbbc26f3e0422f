/* panels.c - the host's side of step 13, for any kernel. */
#include "panels.h"
#include "cuda_check.h"
#include "staging.h"
#include "timing.h"
#include "workspace.h"

size_t pad_to_tile(int n, size_t tile) { return ((size_t)n + tile - 1) / tile * tile; }

/* The products wait for what has gone up. */
static void wait_for_sent(const workspace *w) {
    CUDA_CHECK(cudaEventRecord(w->sent, w->up));
    CUDA_CHECK(cudaStreamWaitEvent(w->product, w->sent, 0));
}

matmult_result multiply_in_panels(const float *a, int lda, const float *b, int ldb, float *c,
                                  int ldc, int n, const panel_plan *plan) {
    static char note[200];
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    const size_t rows = (size_t)n, padded = pad_to_tile(n, plan->tile), size = padded * padded,
                 end = rows * padded, tiles = padded / plan->tile;
    enum { COUNT_FLOATS = 64 }; /* so that all is aligned */
    const workspace *w = get_workspace((3 * size + COUNT_FLOATS) * sizeof(float) + plan->more);
    const device_matrices matrices = {.n = padded,
                                      .count = (void *)w->memory,
                                      .found = w->found,
                                      .a = w->memory + COUNT_FLOATS,
                                      .b = w->memory + COUNT_FLOATS + size,
                                      .c = w->memory + COUNT_FLOATS + 2 * size,
                                      .more = w->memory + COUNT_FLOATS + 3 * size},
                          *const m = &matrices;
    unsigned long long count[2];
    for (int i = 0; i < FOUND; i++)
        m->found[i] = 0;
    CUDA_CHECK(cudaMemsetAsync(m->count, 0, sizeof count, w->product));
    CUDA_CHECK(cudaMemsetAsync(m->a + end, 0, (size - end) * sizeof(float), w->up));
    CUDA_CHECK(cudaMemsetAsync(m->b + end, 0, (size - end) * sizeof(float), w->up));
    const copy_2d all_of_b = rows_up(m->b, padded, b, (size_t)ldb, rows, rows, w->up);
    staged_copies(&all_of_b, 1);
    wait_for_sent(w);
    kernel_timer prepared = begin_kernel_timer(w->product), timers[3]; /* of three panels */
    plan->prepare(m, w->product);
    end_kernel_timer(&prepared, w->product);

    /* A panel goes up while the one before it is multiplied and the one before that comes back. */
    const size_t panel = (plan->panel + tiles - 1) / tiles * plan->tile,
                 panels = (rows + panel - 1) / panel;
    for (size_t i = 0; i < panels + 2; i++) {
        const size_t row = i * panel, sent = rows - row < panel ? rows - row : panel;
        copy_2d copies[2];
        int count = 0;
        if (i < panels)
            copies[count++] = rows_up(m->a + row * padded, padded, a + row * (size_t)lda,
                                      (size_t)lda, rows, sent, w->up);
        if (i >= 2) {
            const size_t from = row - 2 * panel, back = rows - from < panel ? rows - from : panel;
            result.kernel += read_kernel_timer(&timers[(i - 2) % 3]);
            if (!m->found[0] && !m->found[1])
                copies[count++] = rows_down(c + from * (size_t)ldc, (size_t)ldc,
                                            m->c + from * padded, padded, rows, back, w->down);
        }
        staged_copies(copies, count);
        if (i < panels) {
            wait_for_sent(w);
            timers[i % 3] = begin_kernel_timer(w->product);
            plan->multiply(m, row, pad_to_tile((int)sent, plan->tile), w->product);
            end_kernel_timer(&timers[i % 3], w->product);
        }
    }
    if (m->found[0] || m->found[1]) {
        kernel_timer finished = begin_kernel_timer(w->product);
        plan->finish(m, w->product);
        end_kernel_timer(&finished, w->product);
        result.kernel += read_kernel_timer(&finished);
        finish_staged_copies(); /* or an older copy of a row may be the last one */
        const copy_2d all_of_c = rows_down(c, (size_t)ldc, m->c, padded, rows, rows, w->down);
        staged_copies(&all_of_c, 1);
    }
    result.kernel += read_kernel_timer(&prepared);
    finish_staged_copies();
    CUDA_CHECK(cudaMemcpy(count, m->count, sizeof count, cudaMemcpyDeviceToHost));
    if (count[0] && count[1])
        snprintf(note, sizeof note, "%llu %s; %llu %s", count[0], plan->note, count[1],
                 plan->second_note);
    else if (count[0] || count[1])
        snprintf(note, sizeof note, "%llu %s", count[0] + count[1],
                 count[0] ? plan->note : plan->second_note);
    if (count[0] || count[1])
        result.note = note;
    result.total = wall_seconds() - start;
    return result;
}
