/* panels.h - a product in panels of rows: while one is multiplied, rows of A for the next
 * are on their way to the device, and rows of C on their way back.
 * Chapter: docs/34_overlapped.md */
#ifndef PANELS_H
#define PANELS_H
#include "../31_distributed_shared/cluster_columns.h"
#include "../32_rows_in_shared/rows_in_shared.h"
#include "staging.h"
#include "workspace.h"

/* What is launched now waits for what has been sent; kernels are in the default stream.
 */
static void wait_for_sent(const workspace *w) {
    CUDA_CHECK(cudaEventRecord(w->sent, w->up));
    CUDA_CHECK(cudaStreamWaitEvent(0, w->sent, 0));
}

/* Sends the first matrix, and begins with the second. What is launched afterwards waits
 * for the first. */
static transfer send_before(const copy_2d *first, const copy_2d *second) {
    transfer now = start_transfer(first), next = start_transfer(second);
    while (!is_over(&now)) {
        const bool all_begun = rows_wanted(&now) == 0;
        advance(&now);
        if (all_begun && rows_wanted(&next) > 0)
            advance(&next);
    }
    wait_for_sent(get_workspace(0));
    return next;
}

/* Panels of rows of C, for which rows of A come. */
typedef struct panel_pass {
    size_t panel; /* rows */
    copy_2d down; /* all rows of C */
    /* Launches what leaves these rows of C, once the same rows of A are there. */
    void (*multiply)(const void *context, size_t row, size_t rows);
    const void *context;
} panel_pass;

/* Does all panels, each as soon as its rows are there. Returns the seconds of the
 * kernels. */
static double pass_panels(const panel_pass *p, transfer *up) {
    enum { AHEAD = 4 }; /* panels that the device has to multiply, at most */
    const workspace *w = get_workspace(0);
    const size_t rows = p->down.rows, panels = (rows + p->panel - 1) / p->panel;
    transfer down = start_transfer(&p->down);
    kernel_timer timers[AHEAD];
    size_t started = 0, done = 0; /* panels */
    double seconds = 0;
    while (done < panels || !is_over(&down)) {
        const bool can_send = !is_over(up) && started < done + AHEAD;
        if (can_send)
            advance(up);
        for (; started < panels && started < done + AHEAD; started++) {
            const size_t row = started * p->panel, count = min(p->panel, rows - row);
            if (rows_sent(up) < row + count)
                break;
            wait_for_sent(w);
            timers[started % AHEAD] = begin_kernel_timer(0);
            p->multiply(p->context, row, count);
            end_kernel_timer(&timers[started % AHEAD], 0);
        }
        /* Where no copy can go on, a panel is waited for. */
        while (done < started &&
               (is_kernel_over(&timers[done % AHEAD]) ||
                (!can_send && (is_over(&down) || rows_wanted(&down) > done * p->panel))))
            seconds += read_kernel_timer(&timers[done++ % AHEAD]);
        if (!is_over(&down) && rows_wanted(&down) <= done * p->panel)
            advance(&down);
    }
    return seconds;
}

/* Launches the product's kernel for the part of C that o has. */
static void multiply_slices(const bounded_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage), sms = count_sms(),
                   whole = count_whole(o, sms / CLUSTER);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const cudaLaunchConfig_t product =
        early_launch(sms / CLUSTER * CLUSTER, THREADS, bytes);
    CUDA_CHECK(cudaLaunchKernelEx(&product, matmult_kernel, o, whole));
}

/* Launches the kernel that computes in double what is listed. */
static void recompute(const bounded_operands &o) {
    CUDA_CHECK(cudaFuncSetAttribute(
        recompute_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RECOMPUTE_BYTES));
    const cudaLaunchConfig_t doubles =
        early_launch(count_sms() * RECOMPUTE_BLOCKS, RECOMPUTE_THREADS, RECOMPUTE_BYTES);
    CUDA_CHECK(cudaLaunchKernelEx(&doubles, recompute_kernel, o));
}
#endif
