/* cases.h - which products a step is tried on: tables of sizes and kinds of operands. */
#ifndef CASES_H
#define CASES_H
#include "operands.h"
#include "step.h"

/* One product: C = A B of n x n matrices. */
typedef struct product {
    operand_kind kind;
    int n;
    unsigned long seed;
    int pad;     /* leading dimensions are n + pad, n + 2 pad and n + 3 pad */
    int offset;  /* elements that a, b and c lie behind an address that is aligned to 16 bytes */
    int squared; /* B is A, the same pointer */
} product;

/* The largest side of a tile that needs no sizes of its own. */
enum { USUAL_TILE = 16 };

/* A row of a table. Which of two operands is the special one, and whether a place is drawn or the
 * last, depends on the seed (operands.h). */
typedef struct case_row {
    int n;          /* with above_small: this many above the n where the step's own kernel begins */
    unsigned kinds; /* bits, 1u << kind */
    unsigned seeds; /* bits: 1 seed 0, 2 seed 1, 4 seed 2, 8 seed 3; IN_TURN: 0 or 1, by kind */
    unsigned steps; /* which steps: bits of step_class */
    int above_small;
} case_row;

typedef enum step_class {
    SMALL_TILE = 1, /* tiles of 16 x 16 at most */
    LARGE_TILE = 2,
    OWN_SMALL = 4, /* steps in which another kernel does small n */
    BOUNDED = 8,   /* steps that compute again what a bound rejects */
    ANY_STEP = 15
} step_class;

/* The tables end with n = 0. Together they are what `make check` tries, and what check-sizes adds.
 */
extern const case_row CHECK_CASES[], SIZES_CASES[];

/* The drawn products of each: how many, and their largest n. */
enum { CHECK_DRAWN = 12, CHECK_MOST = 300, SIZES_DRAWN = 24, SIZES_MOST = 150 };

/* Says what is wrong with a product, or NULL. */
typedef const char *product_test(const product *, void *context);

/* Calls test for each product of the table that this step is tried on and whose seed is even or
 * odd, as parity says (-1: both), until it has something to say, and returns that. CHECK_SEED
 * shifts all seeds. */
const char *for_each_case(const case_row *rows, const step_facts *facts, int parity,
                          product_test test, void *context);

/* The same for count products whose n, up to most, kind, leading dimensions and alignment are
 * drawn; the first of them is a square. */
const char *for_each_drawn(int count, int most, const step_facts *facts, int parity,
                           product_test test, void *context);

#endif
