/* panels.c - the host's side of step 53, for any kernel; both ways of the link at once. */
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

transfer send_before(const copy_2d *first, const copy_2d *second) {
    transfer now = start_transfer(first), next = start_transfer(second);
    while (!is_over(&now)) {
        const int all_begun = rows_wanted(&now) == 0;
        advance(&now);
        if (all_begun && rows_wanted(&next) > 0)
            advance(&next);
    }
    wait_for_sent(get_workspace(0));
    return next;
}

double pass_panels(const panel_pass *p, transfer *up) {
    enum { AHEAD = 4 }; /* panels that the device has to multiply, at most */
    const workspace *w = get_workspace(0);
    const size_t rows = p->down.rows, panels = (rows + p->panel - 1) / p->panel;
    transfer down = start_transfer(&p->down);
    kernel_timer timers[AHEAD];
    size_t started = 0, done = 0; /* panels */
    double seconds = 0;
    while (done < panels || !is_over(&down)) {
        const int can_send = !is_over(up) && started < done + AHEAD;
        if (can_send)
            advance(up);
        for (; started < panels && started < done + AHEAD; started++) {
            const size_t row = started * p->panel, left = rows - row,
                         count = left < p->panel ? left : p->panel;
            if (rows_sent(up) < row + count)
                break;
            wait_for_sent(w);
            timers[started % AHEAD] = begin_kernel_timer(w->product);
            p->multiply(p->context, row, count);
            end_kernel_timer(&timers[started % AHEAD], w->product);
        }
        /* Where no copy can go on, a panel is waited for. */
        while (done < started &&
               (is_kernel_over(&timers[done % AHEAD]) ||
                (!can_send && (is_over(&down) || rows_wanted(&down) > done * p->panel))))
            seconds += read_kernel_timer(&timers[done++ % AHEAD]);
        if (p->found[0] || p->found[1])
            stop_transfer(&down); /* all of C comes later */
        if (!is_over(&down) && rows_wanted(&down) <= done * p->panel)
            advance(&down);
    }
    return seconds;
}

typedef struct panel_context {
    const panel_plan *plan;
    const device_matrices *m;
    cudaStream_t stream;
} panel_context;

static void multiply_panel(const void *context, size_t row, size_t rows) {
    const panel_context *p = context;
    p->plan->multiply(p->m, row, pad_to_tile((int)rows, p->plan->tile), p->stream);
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
    const copy_2d to_a = rows_up(m->a, padded, a, (size_t)lda, rows, rows, w->up),
                  to_b = rows_up(m->b, padded, b, (size_t)ldb, rows, rows, w->up),
                  to_c = rows_down(c, (size_t)ldc, m->c, padded, rows, rows, w->down);
    transfer up = send_before(&to_b, &to_a);
    kernel_timer prepared = begin_kernel_timer(w->product);
    plan->prepare(m, w->product);
    end_kernel_timer(&prepared, w->product);

    const panel_context context = {plan, m, w->product};
    const panel_pass pass = {(plan->panel + tiles - 1) / tiles * plan->tile, to_c, multiply_panel,
                             &context, m->found};
    result.kernel += pass_panels(&pass, &up);
    if (m->found[0] || m->found[1]) {
        kernel_timer finished = begin_kernel_timer(w->product);
        plan->finish(m, w->product);
        end_kernel_timer(&finished, w->product);
        result.kernel += read_kernel_timer(&finished);
        finish_staged_copies(); /* or an older copy of a row may be the last one */
        transfer all = start_transfer(&to_c);
        finish_transfer(&all);
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
