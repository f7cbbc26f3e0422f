/* panels.h - copies that overlap kernels: while rows of C are computed, rows of A for the next are
 * on their way to the device, and rows of C on their way back. Chapter: docs/34_overlapped.md */
#ifndef PANELS_H
#define PANELS_H
#include "staging.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Sends the first matrix up, and begins with the second. What is launched in the default stream
 * afterwards waits for the first. Exits with a sentence when CUDA fails, as the next one. */
transfer send_before(const copy_2d *first, const copy_2d *second);

/* Panels of rows of C, for which rows of A come. */
typedef struct panel_pass {
    size_t panel; /* rows */
    copy_2d down; /* all rows of C */
    /* Launches, in the default stream, what leaves these rows of C, once the same rows of A are
     * there. */
    void (*multiply)(const void *context, size_t row, size_t rows);
    const void *context;
} panel_pass;

/* Does all panels, each as soon as its rows are there; up brings A. Returns the seconds of the
 * kernels. */
double pass_panels(const panel_pass *p, transfer *up);

#ifdef __cplusplus
}
#endif
#endif
