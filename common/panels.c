/* panels.c - both ways of the link and the kernels at once. */
#include "panels.h"
#include "cuda_check.h"
#include "timing.h"
#include "workspace.h"

/* What is launched now waits for what has been sent. */
static void wait_for_sent(const workspace *w) {
    CUDA_CHECK(cudaEventRecord(w->sent, w->up));
    CUDA_CHECK(cudaStreamWaitEvent(0, w->sent, 0));
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
