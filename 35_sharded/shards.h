/* shards.h - a product that ranks share, each with a device: rows of A and of C, and as
 * many columns of B. Chapter: docs/35_sharded.md */
#ifndef SHARDS_H
#define SHARDS_H
#include "../31_distributed_shared/cluster_columns.h"
#include "../32_rows_in_shared/rows_in_shared.h"
#include "panels.h"
#include "ranked_call.h"

/* What a rank has: these rows of A and of C; as many columns of B; and in o all that
 * belongs to rows, and slices of all columns. */
typedef struct shard {
    size_t first, count; /* of n, padded */
    float *b;            /* its columns, leading dimension count */
    bounded_operands o;  /* no matrix_b */
} shard;

/* How ranks multiply their shards: what all of them do once their columns of B are there,
 * which leaves slices of B; and what leaves rows of C, once the same rows of A are there.
 */
typedef struct shard_plan {
    size_t panel;  /* tiles of C in a panel, at most */
    int slower_to; /* up to this n two devices were slower than one */
    void (*slice_b)(const rank *r, const shard *s);
    void (*multiply)(const rank *r, const shard *s, size_t row, size_t rows);
    /* How many columns of B spoil: of what the ranks have counted. */
    double (*join_columns)(const rank *r, double columns);
} shard_plan;

/* Where rank i has its first row and column. */
static size_t first_of(const rank *r, size_t n, int i) {
    return first_tile(n / TILE, i, r->count) * TILE;
}

static shard make_shard(const rank *r, int n) {
    shard s;
    device_matrices m = {pad(n), NULL, NULL, NULL, NULL};
    s.first = first_of(r, m.n, r->number);
    s.count = first_of(r, m.n, r->number + 1) - s.first;
    const size_t size = s.count * m.n;
    const workspace *w =
        get_workspace(3 * size * sizeof(float) + divide(m, s.count, &s.o));
    m.a = w->memory;
    s.b = m.a + size;
    m.c = s.b + size;
    m.more = m.c + size;
    divide(m, s.count, &s.o);
    s.o.matrix_b = NULL;
    return s;
}

/* Of a shard with few tiles four panels, down to half of the tiles: while one is
 * multiplied, others are copied. Returns rows, of whole pairs of tiles. */
static size_t choose_panel(const shard &s, size_t panel) {
    const size_t across = s.o.n / TILE, fourth = s.count / TILE * across / 4,
                 tiles = max((panel + 1) / 2, min(panel, fourth));
    return ((tiles + 1) / CLUSTER + across - 1) / across * CLUSTER * TILE;
}

/* What all ranks have found. */
static findings join_findings(const rank *r, findings f, const shard_plan *plan) {
    f.columns = (unsigned)plan->join_columns(r, f.columns);
    f.rows = (unsigned)sum_of_ranks(r, f.rows);
    f.listed = (unsigned)sum_of_ranks(r, f.listed);
    f.next = (unsigned)sum_of_ranks(r, f.next);
    return f;
}

/* Computes in double what is listed, or all. This needs B itself, which no rank has: all
 * take part. */
static void recompute_shard(const rank *r, const shard *s, bool all) {
    bounded_operands o = s->o;
    float *b = gather_columns(r, s->b, o.n / TILE, TILE, 0);
    o.matrix_b = b;
    if (all) /* of all rows, as on one device */
        CUDA_CHECK(cudaMemsetAsync(&o.found->columns, 0x7f, sizeof(unsigned)));
    if (s->count > 0)
        recompute(o);
    CUDA_CHECK(cudaStreamSynchronize(0));
    CUDA_CHECK(cudaFree(b));
}

typedef struct shard_context {
    const rank *r;
    const shard *s;
    const shard_plan *plan;
} shard_context;

static void multiply_panel(const void *context, size_t row, size_t rows) {
    const shard_context *c = (const shard_context *)context;
    c->plan->multiply(c->r, c->s, row, pad((int)rows));
}

/* Multiplies the shard of this rank. */
static shard_result multiply_shard(const rank *r, const ranked_call *c,
                                   const shard_plan *plan) {
    const shard made = make_shard(r, c->n), *const s = &made;
    const bounded_operands &o = s->o;
    const size_t n = (size_t)c->n, rows = min(s->first + s->count, n) - min(s->first, n);
    const workspace *w = get_workspace(0);
    shard_result result = {0, NULL};
    float *const a = (float *)o.matrix_a;
    const copy_2d to_a = rows_up(a, o.n, c->a + s->first * (size_t)c->lda, (size_t)c->lda,
                                 n, rows, w->up),
                  to_b = rows_up(s->b, s->count, c->b + s->first, (size_t)c->ldb, rows, n,
                                 w->up),
                  to_c = rows_down(c->c + s->first * (size_t)c->ldc, (size_t)c->ldc, o.c,
                                   o.n, n, rows, w->down);
    transfer up;
    clear_findings(o);
    CUDA_CHECK(
        cudaMemsetAsync(o.c, 0, s->count * o.n * sizeof(float))); /* as in step 34 */
    if (rows > 0) {
        CUDA_CHECK(cudaMemsetAsync(a + rows * o.n, 0,
                                   (s->count - rows) * o.n * sizeof(float), w->up));
        CUDA_CHECK(cudaMemsetAsync(s->b + n * s->count, 0,
                                   (o.n - n) * s->count * sizeof(float), w->up));
        up = send_before(&to_b, &to_a);
    }
    kernel_timer columns = begin_kernel_timer(0);
    plan->slice_b(r, s);
    end_kernel_timer(&columns, 0);
    if (rows > 0) {
        const shard_context context = {r, s, plan};
        const panel_pass pass = {choose_panel(*s, plan->panel), to_c, multiply_panel,
                                 &context};
        result.kernel = pass_panels(&pass, &up);
    }
    const findings found = join_findings(r, read_findings(o), plan);
    const bool all = is_all_double(found, o.n);
    if (all || found.listed > 0) {
        kernel_timer doubles = begin_kernel_timer(0);
        recompute_shard(r, s, all);
        end_kernel_timer(&doubles, 0);
        result.kernel += read_kernel_timer(&doubles);
        finish_staged_copies(); /* rows of C have gone before they were complete */
        if (rows > 0) {
            transfer again = start_transfer(&to_c);
            finish_transfer(&again);
        }
    }
    result.kernel += read_kernel_timer(&columns);
    finish_staged_copies();
    if (is_first_here(r))
        result.note = describe_findings(found, o.n);
    if (!result.note && r->count > 1 && c->n <= plan->slower_to)
        result.note = "two devices were slower than one at such n: --devices 1";
    return result;
}
#endif
