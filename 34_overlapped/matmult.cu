/* 34_overlapped - step 32 for the time that the user waits: while the device multiplies
 * some rows of A, others are on their way to it, and rows of C on their way back.
 *
 * New: A comes and C goes in panels of rows (panels.h), in two more streams. Threads of
 * the host bring the rows to pinned memory and back (staging.h). Memory, streams and
 * threads are kept for later calls (workspace.h).
 * Launch: for B n / 2 blocks of 256 threads, in clusters of 8; then for each panel for
 * A a block of 256 for each row, and for the product 384 threads and 203 KB of shared
 * memory for each SM, in pairs; in the end 4 blocks of 128 threads for each SM. Reads: 4
 * n^2 bytes of A and 4 n^2 of B, 4.5 n^3 / 128 bytes of slices in each pass, and for
 * each sub-tile in double 144 to 192 n floats.
 * Chapter: docs/34_overlapped.md
 * Run: make 34_overlapped && ./34_overlapped/run */
#include "../31_distributed_shared/cluster_columns.h"
#include "../32_rows_in_shared/rows_in_shared.h"
#include "panels.h"
#include "workspace.h"

enum { PANEL = 1024 }; /* tiles of C in a panel, where it has so many */

static void multiply_panel(const void *operands, size_t row, size_t rows) {
    bounded_operands o = *(const bounded_operands *)operands;
    o.top = (unsigned)row;
    o.rows = (unsigned)pad((int)rows);
    slice_rows_in_shared(o);
    multiply_slices(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    device_matrices m = {pad(n), NULL, NULL, NULL, NULL};
    const size_t size = m.n * m.n, rows = (size_t)n, rest = size - rows * m.n;
    bounded_operands o;
    const workspace *w = get_workspace(3 * size * sizeof(float) + divide(m, m.n, &o));
    m.a = w->memory;
    m.b = m.a + size;
    m.c = m.b + size;
    m.more = m.c + size;
    divide(m, m.n, &o);
    clear_findings(o);
    /* What goes back where all is computed in double later: */
    CUDA_CHECK(cudaMemsetAsync(m.c, 0, size * sizeof(float)));
    CUDA_CHECK(cudaMemsetAsync(m.a + rows * m.n, 0, rest * sizeof(float), w->up));
    CUDA_CHECK(cudaMemsetAsync(m.b + rows * m.n, 0, rest * sizeof(float), w->up));
    const copy_2d to_a = rows_up(m.a, m.n, a, (size_t)lda, rows, rows, w->up),
                  to_b = rows_up(m.b, m.n, b, (size_t)ldb, rows, rows, w->up),
                  to_c = rows_down(c, (size_t)ldc, m.c, m.n, rows, rows, w->down);
    transfer up = send_before(&to_b, &to_a);
    kernel_timer columns = begin_kernel_timer(0);
    slice_columns_in_cluster(o);
    end_kernel_timer(&columns, 0);

    const size_t across = m.n / TILE, /* a panel has pairs of tiles, and whole rows */
        pairs = ((PANEL + 1) / CLUSTER + across - 1) / across;
    const panel_pass pass = {pairs * CLUSTER * TILE, to_c, multiply_panel, &o};
    result.kernel = pass_panels(&pass, &up);
    kernel_timer doubles = begin_kernel_timer(0);
    recompute(o);
    end_kernel_timer(&doubles, 0);
    const findings found = read_findings(o);
    if (found.listed > 0 ||
        is_all_double(found, o.n)) { /* rows of C have gone before they were complete */
        finish_staged_copies();
        transfer again = start_transfer(&to_c);
        finish_transfer(&again);
    }
    result.kernel += read_kernel_timer(&columns) + read_kernel_timer(&doubles);
    finish_staged_copies();
    result.note = describe_findings(found, o.n);
    result.total = wall_seconds() - start;
    return result;
}
