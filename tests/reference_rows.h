/* reference_rows.h - the rows that products are compared with: computed once, for all tests. */
#ifndef REFERENCE_ROWS_H
#define REFERENCE_ROWS_H
#include "operands.h"

typedef struct reference_rows {
    int every, first;   /* rows first, first + every, ... of the product, the last among them */
    const double *sums; /* of those rows, n elements each: A B in double */
    const double *magnitudes; /* the same of |A| |B| */
} reference_rows;

/* Makes room that all forked tests share; to be called before the first of them. */
void share_references(void);

/* The rows for the operands of fill_operand(kind, seed); n above 1000: every seventh. A and B are
 * these operands, however large lda and ldb are. */
reference_rows get_reference_rows(operand_kind kind, int n, unsigned long seed, const float *a,
                                  int lda, const float *b, int ldb);

#endif
