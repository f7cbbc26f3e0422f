/* operands.h - the kinds of operands that every step is tried on. */
#ifndef OPERANDS_H
#define OPERANDS_H

typedef enum operand_kind {
    UNIFORM,          /* [0, 1): the one kind that is held to a relative error */
    IDENTITY,         /* one operand; the product is the other one */
    PERMUTATION,      /* one operand; shows exchanged indices */
    ZEROS,            /* one operand */
    CANCELLING,       /* both signs */
    INTEGERS,         /* small ones: the product is exact */
    SPIKES,           /* one 1 in each row and column, all else small and equal */
    LARGE_FIRST,      /* large ones, then small and equal ones, in each 64 */
    SQUARE_ROOTS,     /* of (2806 i + 504 k) mod 3072 in row i of A and column i of B */
    GRAM,             /* A of 10-bit numbers, and B is A transposed: sums of squares */
    MAGNITUDES,       /* 2^-40 to 2^40 in every row and column */
    LARGE,            /* the sums come near the largest float */
    TINY,             /* the products are subnormal */
    SUBNORMAL,        /* one operand */
    INFINITE,         /* one element */
    SPECIALS,         /* infinities, NaNs and zeros that meet each other */
    OVERFLOWING,      /* the product is infinite, of either sign */
    PARTIAL_OVERFLOW, /* the product is finite, and a sum on the way to it is not */
    NORMAL,           /* standard normal */
    HALF_SLICES,      /* halfway between two first slices of step 14, except one element a vector */
    ONE_OUTLIER,      /* one huge element */
    OUTLIER_VECTOR,   /* a huge row of A, or column of B */
    OUTLIER_K,        /* a huge column of A and row of B, so in every vector one huge element */
    FALLBACKS,        /* rows and columns of several of these kinds, side by side: what a bound of
                         slices accepts, what needs the next products, what needs double */
    AT_THE_LIMIT,     /* errors just below what the bound of step 25 accepts, and above it */
    ONE_NAN,          /* one element, and none is infinite */
    ONE_LIMIT,        /* one row that needs the next products, in a column of each 128 */
    LARGEST_FLOAT,    /* sums on either side of it, a few */
    OPERAND_KINDS
} operand_kind;

/* Their names, in messages. */
extern const char *const operand_names[OPERAND_KINDS];

/* Fills an n x n operand: A, or with second B. Where one of the two is special, an odd seed makes
 * it B. An element, row, column or k that stands out lies at a place drawn from the seed, or is the
 * last, where seed / 2 is odd. */
void fill_operand(float *a, int lda, int n, operand_kind kind, unsigned long seed, int second);

/* The same, but rows first to end - 1 alone: several threads can fill an operand. */
void fill_operand_rows(float *a, int lda, int n, operand_kind kind, unsigned long seed, int second,
                       int first, int end);

#endif
