/* shares.h - the shares of a product that ranks have, and the copies of a share, in panels of rows
 * as in panels.h. Chapter: docs/37_many_gpus.md */
#ifndef SHARES_H
#define SHARES_H
#include "ranked_call.h"
#include "staging.h"
#include "strips.h"
#include "timing.h"

/* What a rank has: these rows of A and of C, as many columns of B, and all slices of B.
 */
typedef struct share {
    size_t n, first, count; /* padded; of rows and of columns */
    float *a, *b, *c;       /* leading dimensions: n, count, n */
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
    unsigned long long *counts;
    unsigned *found;
    unsigned char *flags;
} share;

/* Where rank i has its first row and column. */
static size_t first_of(const rank *r, size_t n, int i) {
    return first_tile(n / TILE, i, r->count) * TILE;
}

static share make_share(const rank *r, size_t n) {
    share s = {};
    s.n = n;
    s.first = first_of(r, n, r->number);
    s.count = first_of(r, n, r->number + 1) - s.first;
    const size_t size = s.count * n, head = 256; /* bytes of the counts, aligned */
    const workspace *w =
        get_workspace(head + 3 * size * sizeof(float) + SLICES * (size + n * n) +
                      (s.count + n) * sizeof(vector_info) + n * n / (STRIP * TILE));
    s.counts = (unsigned long long *)w->memory;
    s.found = w->found;
    s.a = w->memory + head / sizeof(float);
    s.b = s.a + size;
    s.c = s.b + size;
    s.slices_a = (signed char *)(s.c + size);
    s.slices_b = s.slices_a + SLICES * size;
    s.rows = (vector_info *)(s.slices_b + SLICES * n * n);
    s.columns = s.rows + s.count;
    s.flags = (unsigned char *)(s.columns + n);
    return s;
}

/* The product from this row of the share and this column on. */
static product find_part(const share *s, size_t row, size_t column) {
    return {s->n,
            s->a + row * s->n,
            s->b,
            s->c + row * s->n + column,
            s->counts,
            s->slices_a + SLICES * row * s->n,
            s->slices_b + SLICES * column * s->n,
            s->rows + row,
            s->columns + column};
}

/* What a rank does with its share. */
typedef struct share_plan {
    size_t panel; /* tiles of C in a panel, at least, where the share has so many */
    /* Called by all ranks, once their columns of B are there: starts what leaves all slices of B,
     * in the stream; the other one is for copies. */
    void (*prepare)(const rank *r, const share *s, cudaStream_t stream, cudaStream_t other);
    /* Starts what leaves these rows of C, once the same rows of A are there. */
    void (*multiply)(const rank *r, const share *s, size_t row, size_t rows, cudaStream_t stream);
    /* Called by all ranks in the end: does what found wants. */
    void (*finish)(const rank *r, const share *s, cudaStream_t stream);
} share_plan;

/* The products wait for what has gone up. */
static inline void wait_for_sent(const workspace *w) {
    CUDA_CHECK(cudaEventRecord(w->sent, w->up));
    CUDA_CHECK(cudaStreamWaitEvent(w->product, w->sent, 0));
}

/* Multiplies the share of this rank. */
static inline share_result multiply_in_share(const rank *r, const ranked_call *c,
                                             const share_plan *plan) {
    const size_t n = (size_t)c->n, size = sizeof(float);
    const share made = make_share(r, pad_to_tile(c->n, TILE)), *const s = &made;
    const size_t rows = min(s->first + s->count, n) - min(s->first, n), across = s->n / TILE,
                 panel = (plan->panel + across - 1) / across * TILE;
    const workspace *w = get_workspace(0);
    share_result result = {};
    kernel_timer timers[3];
    s->found[0] = s->found[1] = 0;
    CUDA_CHECK(cudaMemsetAsync(s->counts, 0, sizeof result.count, w->product));
    CUDA_CHECK(cudaMemsetAsync(s->flags, 0, s->n * s->n / (STRIP * TILE), w->product));
    if (rows > 0) {
        CUDA_CHECK(cudaMemsetAsync(s->a + rows * s->n, 0, (s->count - rows) * s->n * size, w->up));
        CUDA_CHECK(cudaMemsetAsync(s->b + n * s->count, 0, (s->n - n) * s->count * size, w->up));
        const copy_2d own_b =
            rows_up(s->b, s->count, c->b + s->first, (size_t)c->ldb, rows, n, w->up);
        staged_copies(&own_b, 1);
        wait_for_sent(w);
    }
    kernel_timer prepared = begin_kernel_timer(w->product);
    plan->prepare(r, s, w->product, w->down);
    end_kernel_timer(&prepared, w->product);
    float *const to = c->c + s->first * (size_t)c->ldc;
    /* A panel goes up while the one before it is multiplied and the one before that comes back. */
    const float *const from = c->a + s->first * (size_t)c->lda;
    const size_t panels = (rows + panel - 1) / panel;
    for (size_t i = 0; rows > 0 && i < panels + 2; i++) {
        const size_t row = i * panel;
        copy_2d copies[2];
        int count = 0;
        if (i < panels)
            copies[count++] = rows_up(s->a + row * s->n, s->n, from + row * (size_t)c->lda,
                                      (size_t)c->lda, n, min(rows - row, panel), w->up);
        if (i >= 2) {
            const size_t done = row - 2 * panel;
            result.kernel += read_kernel_timer(&timers[(i - 2) % 3]);
            if (!s->found[0] && !s->found[1])
                copies[count++] =
                    rows_down(to + done * (size_t)c->ldc, (size_t)c->ldc, s->c + done * s->n, s->n,
                              n, min(rows - done, panel), w->down);
        }
        staged_copies(copies, count);
        if (i < panels) {
            wait_for_sent(w);
            timers[i % 3] = begin_kernel_timer(w->product);
            plan->multiply(r, s, row, pad_to_tile((int)min(rows - row, panel), TILE), w->product);
            end_kernel_timer(&timers[i % 3], w->product);
        }
    }
    result.kernel += read_kernel_timer(&prepared);
    const bool again = s->found[0] || s->found[1];
    kernel_timer finished = begin_kernel_timer(w->product);
    plan->finish(r, s, w->product);
    end_kernel_timer(&finished, w->product);
    const double seconds = read_kernel_timer(&finished);
    if (again) {
        result.kernel += seconds;
        finish_staged_copies(); /* or an older copy of a row may be the last one */
        const copy_2d all_of_c = rows_down(to, (size_t)c->ldc, s->c, s->n, n, rows, w->down);
        staged_copies(&all_of_c, 1);
    }
    finish_staged_copies();
    CUDA_CHECK(cudaMemcpy(result.count, s->counts, sizeof result.count, cudaMemcpyDeviceToHost));
    return result;
}
#endif
