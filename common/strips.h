/* strips.h - strips of 16 x 128 elements of C that are not done yet.
 * Chapter: docs/25_error_bound.md */
#ifndef STRIPS_H
#define STRIPS_H
#include "sliced_product.h"

enum {
    STRIP = 16,   /* rows of a strip, which has a tile's columns */
    IN_DOUBLE = 1 /* a strip's flag */
};

/* What says which strips are to be computed in double, from a row on. */
typedef struct strips {
    unsigned char *flags; /* from the top down, then of the next columns */
    unsigned *found;      /* in the host's memory: whether one is set */
} strips;

/* The strips from this row on; their flags lie behind what find_product finds. */
static inline strips find_strips(const device_matrices *m, size_t row) {
    return {(unsigned char *)(find_product(m, 0).rows + m->n) + row / STRIP, m->found};
}
#endif
