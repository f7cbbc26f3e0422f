/* slices_once.h - slices A and B, which are read once. Chapter: docs/80_rows_once.md */
#ifndef SLICES_ONCE_H
#define SLICES_ONCE_H
#include "column_maxima.h"
#include "columns_once.h"
#include "rows_once.h"
#include "whole_columns.h"

/* Slices these rows of A, and B after the first ones. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    slice_rows_once(p, rows, stream);
    if (row > 0)
        return;
    if (p.n <= WHOLE_UP_TO)
        return slice_whole_columns(p, stream);
    if (p.n <= ONCE_UP_TO)
        return slice_columns_once(p, stream);
    measure_columns(p, p.n, stream);
    slice_columns(p, p.n, stream);
}
#endif
