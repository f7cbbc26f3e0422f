/* shares.h - the shares of a product that ranks have, and the copies of a share, in panels of rows
 * as in panels.h. Chapter: docs/84_many_gpus.md */
#ifndef SHARES_H
#define SHARES_H
#include "panels.h"
#include "ranked_call.h"
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
    const workspace *w = get_workspace(head + 3 * size * sizeof(float) + SLICES * (size + n * n) +
                                       (s.count + n) * sizeof(vector_info) +
                                       5 * n * n / (STRIP * TILE) + sizeof(unsigned));
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
    size_t panel; /* tiles of C in a panel, at least, where the share has many */
    /* Called by all ranks, once their columns of B are there: starts what leaves all slices of B,
     * in the stream; the other one is for copies. */
    void (*prepare)(const rank *r, const share *s, cudaStream_t stream, cudaStream_t other);
    /* Starts what leaves these rows of C, once the same rows of A are there. */
    void (*multiply)(const rank *r, const share *s, size_t row, size_t rows, cudaStream_t stream);
    /* Called by all ranks in the end: does what found wants. */
    void (*finish)(const rank *r, const share *s, cudaStream_t stream);
} share_plan;

typedef struct share_context {
    const share_plan *plan;
    const rank *r;
    const share *s;
    cudaStream_t stream;
} share_context;

static inline void multiply_panel(const void *context, size_t row, size_t rows) {
    const share_context *c = (const share_context *)context;
    c->plan->multiply(c->r, c->s, row, pad_to_tile((int)rows, TILE), c->stream);
}

/* A share with few tiles has smaller panels, down to half, so that there are four of them: while
 * one is multiplied, others are copied. */
static inline size_t panel_tiles(const share *s, const share_plan *plan) {
    const size_t fourth = s->count / TILE * (s->n / TILE) / 4;
    return max((plan->panel + 1) / 2, min(plan->panel, fourth));
}

/* Multiplies the share of this rank. */
static inline share_result multiply_in_share(const rank *r, const ranked_call *c,
                                             const share_plan *plan) {
    const size_t n = (size_t)c->n, size = sizeof(float);
    const share made = make_share(r, pad_to_tile(c->n, TILE)), *const s = &made;
    const size_t rows = min(s->first + s->count, n) - min(s->first, n), across = s->n / TILE,
                 panel = (panel_tiles(s, plan) + across - 1) / across * TILE;
    const workspace *w = get_workspace(0);
    share_result result = {};
    const copy_2d to_a = rows_up(s->a, s->n, c->a + s->first * (size_t)c->lda, (size_t)c->lda, n,
                                 rows, w->up),
                  to_b = rows_up(s->b, s->count, c->b + s->first, (size_t)c->ldb, rows, n, w->up),
                  to_c = rows_down(c->c + s->first * (size_t)c->ldc, (size_t)c->ldc, s->c, s->n, n,
                                   rows, w->down);
    transfer up;
    s->found[0] = s->found[1] = 0;
    CUDA_CHECK(cudaMemsetAsync(s->counts, 0, sizeof result.count, w->product));
    CUDA_CHECK(cudaMemsetAsync(s->flags, 0, s->n * s->n / (STRIP * TILE), w->product));
    if (rows > 0) {
        CUDA_CHECK(cudaMemsetAsync(s->a + rows * s->n, 0, (s->count - rows) * s->n * size, w->up));
        CUDA_CHECK(cudaMemsetAsync(s->b + n * s->count, 0, (s->n - n) * s->count * size, w->up));
        up = send_before(&to_b, &to_a);
    }
    kernel_timer prepared = begin_kernel_timer(w->product);
    plan->prepare(r, s, w->product, w->down);
    end_kernel_timer(&prepared, w->product);
    if (rows > 0) {
        const share_context context = {plan, r, s, w->product};
        const panel_pass pass = {panel, to_c, multiply_panel, &context, s->found};
        result.kernel += pass_panels(&pass, &up);
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
        transfer all = start_transfer(&to_c);
        finish_transfer(&all);
    }
    finish_staged_copies();
    CUDA_CHECK(cudaMemcpy(result.count, s->counts, sizeof result.count, cudaMemcpyDeviceToHost));
    return result;
}
#endif
