/* panels.h - a product whose copies and kernels overlap: A comes and C goes in panels of rows.
 * Chapter: docs/53_overlapped.md */
#ifndef PANELS_H
#define PANELS_H
#include "matmult.h"
#include "staging.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The matrices on the device, n x n with n padded, leading dimension n; A and B end in zeros. */
typedef struct device_matrices {
    size_t n;
    float *a, *b, *c;
    unsigned long long *count; /* two, for the note; 0 before the first panel */
    unsigned *found;           /* words of the host that kernels may set; 0 before prepare */
    void *more;                /* the step's, 256-byte aligned */
} device_matrices;

typedef struct panel_plan {
    size_t tile;  /* n is padded to a multiple of it */
    size_t panel; /* tiles of C in a panel, at least, where C has so many */
    size_t more;  /* bytes of device memory for the step */
    /* Starts work in the stream, once B is there; then, for each panel, once these rows of A are
     * there, the work that leaves the same rows of C. rows is a multiple of tile. */
    void (*prepare)(const device_matrices *m, cudaStream_t stream);
    void (*multiply)(const device_matrices *m, size_t row, size_t rows, cudaStream_t stream);
    const char *note;        /* what stands behind the count in the result's note, if it is not 0 */
    const char *second_note; /* the same for the second count */
    /* Starts more work on C, once all panels are done; called where found[0] or found[1] is set.
     * NULL where no kernel sets it. */
    void (*finish)(const device_matrices *m, cudaStream_t stream);
} panel_plan;

/* n rounded up to a multiple of tile. */
size_t pad_to_tile(int n, size_t tile);

/* Panels of rows of C, for which rows of A come. */
typedef struct panel_pass {
    size_t panel; /* rows */
    copy_2d down; /* all rows of C */
    /* Starts what leaves these rows of C in the stream of products, once the same rows of A are
     * there. */
    void (*multiply)(const void *context, size_t row, size_t rows);
    const void *context;
    const unsigned *found; /* as in device_matrices: where one is set, C does not come */
} panel_pass;

/* Sends the first, and the host begins with the second. What is put into the stream of products
 * afterwards waits for the first. */
transfer send_before(const copy_2d *first, const copy_2d *second);
/* Does all panels: while rows go up, others are multiplied, and others come down. Returns the
 * seconds of the products. */
double pass_panels(const panel_pass *p, transfer *up);

/* C = A B by the plan, with the arguments and the result of matmultCUDA. Exits with a sentence
 * when CUDA fails. */
matmult_result multiply_in_panels(const float *a, int lda, const float *b, int ldb, float *c,
                                  int ldc, int n, const panel_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
