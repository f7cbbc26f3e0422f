/* cases.c - which products a step is tried on: tables of sizes and kinds of operands. */
#include "cases.h"
#include "matgen.h"
#include "suite.h"
#include <stddef.h>

#define BIT(kind) (1u << (kind))
#define ONLY_UNIFORM BIT(UNIFORM)
#define FEW (BIT(UNIFORM) | BIT(CANCELLING) | BIT(SPECIALS))
#define SOME (BIT(UNIFORM) | BIT(PERMUTATION) | BIT(MAGNITUDES) | BIT(OUTLIER_VECTOR))
#define PLACED (BIT(INFINITE) | BIT(ONE_OUTLIER) | BIT(OUTLIER_VECTOR) | BIT(OUTLIER_K))
#define EVERY (BIT(OPERAND_KINDS) - 1)
/* Which seeds: 0 (A is the special operand), 1 (B), and the same with the last place; one by turns.
 */
enum {
    SEED_0 = 1,
    SEED_1 = 2,
    A_OR_B = 3,
    SEED_2 = 4,
    SEED_3 = 8,
    LAST = 12,
    FOUR = 15,
    IN_TURN = 0
};

/* What small products show is not tried on large ones. */
const case_row CHECK_CASES[] = {
    {1, FEW, A_OR_B, ANY_STEP, 0},               /* a thread */
    {17, FEW, A_OR_B, ANY_STEP, 0},              /* a tile of 16 and one more */
    {100, FEW, A_OR_B, ANY_STEP, 0},             /* parts of a tile of 128 */
    {128, EVERY, IN_TURN, ANY_STEP, 0},          /* no padding: the last columns count */
    {129, EVERY, IN_TURN, SMALL_TILE, 0},        /* one row and column beyond */
    {129, SOME | PLACED, A_OR_B, LARGE_TILE, 0}, /* the same, in 2 x 2 tiles */
    {257, FEW | PLACED, IN_TURN, LARGE_TILE, 0}, /* 3 x 3 tiles */
    {257, BIT(AT_THE_LIMIT), SEED_0 | SEED_2, LARGE_TILE, 0}, /* limits of rows */
    {512, BIT(AT_THE_LIMIT), SEED_1 | SEED_3, BOUNDED, 0},    /* of columns */
    {257, BIT(LARGEST_FLOAT), SEED_0, BOUNDED, 0},
    {128, BIT(INFINITE) | BIT(ONE_OUTLIER) | BIT(OUTLIER_VECTOR), LAST, BOUNDED, 0},
    {256, BIT(ONE_LIMIT), SEED_0 | SEED_2, BOUNDED, 0}, /* also the last row of a pair */
    {385, BIT(FALLBACKS), A_OR_B, BOUNDED, 0},          /* several in one product */
    {385, BIT(MAGNITUDES), SEED_0, BOUNDED, 0},         /* a block has several of them */
    {1, EVERY, IN_TURN, OWN_SMALL, 1}, /* the step's own kernel: with 33's 320 3 x 3 tiles */
    {1, BIT(AT_THE_LIMIT) | BIT(LARGEST_FLOAT), SEED_0 | SEED_2, OWN_SMALL, 1},
    {1, BIT(ONE_NAN), A_OR_B, OWN_SMALL, 1},
    {1, BIT(ONE_LIMIT), SEED_2, OWN_SMALL, 1},
    {129, SOME | PLACED, IN_TURN, OWN_SMALL, 1},                   /* 4 x 4 */
    {193, BIT(FALLBACKS) | BIT(MAGNITUDES), SEED_0, OWN_SMALL, 1}, /* 5 x 5 */
    {448, ONLY_UNIFORM, SEED_0, OWN_SMALL, 1},                     /* 6 x 6, no padding */
    {449, ONLY_UNIFORM, SEED_1, OWN_SMALL, 1},                     /* 7 x 7 */
    {1025, ONLY_UNIFORM, SEED_1, LARGE_TILE, 0},   /* 9 x 9: more rows of tiles than a group has */
    {1025, BIT(AT_THE_LIMIT), SEED_0, BOUNDED, 0}, /* from 1152 on 31 has a kernel of its own */
    {1000, ONLY_UNIFORM, SEED_0, ANY_STEP, 0},     /* the bits, and the chapters' figures */
    {0, 0, 0, 0, 0},
};

/* Where a fault would need many tiles, a long sum or one certain n. */
const case_row SIZES_CASES[] = {
    {2, EVERY, A_OR_B, SMALL_TILE, 0},   {3, EVERY, IN_TURN, ANY_STEP, 0},
    {15, EVERY, IN_TURN, SMALL_TILE, 0}, {16, EVERY, IN_TURN, SMALL_TILE, 0},
    {31, EVERY, IN_TURN, SMALL_TILE, 0}, {32, EVERY, IN_TURN, SMALL_TILE, 0},
    {33, EVERY, IN_TURN, ANY_STEP, 0},   {127, SOME, A_OR_B, LARGE_TILE, 0},
    {255, EVERY, IN_TURN, ANY_STEP, 0}, /* k ends one before a tile does */
    {256, SOME, IN_TURN, ANY_STEP, 0},   {129, EVERY, FOUR, LARGE_TILE, 0},
    {257, SOME, IN_TURN, LARGE_TILE, 0}, /* more tiles along k than stages */
    {116, EVERY, FOUR, OWN_SMALL, 1},    /* n = 500 */
    {128, SOME, A_OR_B, OWN_SMALL, 1},   {0, 0, 0, 0, 0},
};

/* A plain float sum breaks its bound on these even at n = 100; only steps that compute in double
 * what may be infinite keep the largest float. */
static int is_beyond(const step_facts *facts, operand_kind kind, int n) {
    if (kind == LARGEST_FLOAT)
        return !facts->rejected || n <= facts->small;
    return facts->plain_sum &&
           (kind == SPIKES || kind == LARGE_FIRST || kind == GRAM || kind == SQUARE_ROOTS ||
            kind == FALLBACKS || kind == AT_THE_LIMIT || kind == ONE_LIMIT);
}

static unsigned find_class(const step_facts *facts) {
    if (facts->tile <= USUAL_TILE)
        return SMALL_TILE;
    return LARGE_TILE | (facts->small ? OWN_SMALL : 0) | (facts->rejected ? BOUNDED : 0);
}

const char *for_each_case(const case_row *rows, const step_facts *facts, int parity,
                          product_test test, void *context) {
    for (int row = 0; rows[row].n; row++) {
        if (!(rows[row].steps & find_class(facts)))
            continue;
        const int n = rows[row].n + (rows[row].above_small ? facts->small : 0);
        for (int kind = 0; kind < OPERAND_KINDS; kind++)
            for (unsigned long seed = 0; seed < 4; seed++) {
                const unsigned seeds = rows[row].seeds ? rows[row].seeds : BIT((kind + row) % 2);
                if (!(rows[row].kinds & BIT(kind)) || !(seeds & BIT(seed)) ||
                    (parity >= 0 && seed % 2 != (unsigned long)parity) ||
                    is_beyond(facts, (operand_kind)kind, n))
                    continue;
                /* `run` makes the products whose bits are known, with seed 0 */
                const unsigned long shift = n == 1000 ? 0 : 4 * check_seed();
                const product p = {(operand_kind)kind, n, seed + shift, seed % 2 ? 5 : 0, 0, 0};
                const char *problem = test(&p, context);
                if (problem)
                    return problem;
            }
    }
    return NULL;
}

const char *for_each_drawn(int count, int most, const step_facts *facts, int parity,
                           product_test test, void *context) {
    const char *problem = NULL;
    for (unsigned long i = 0; i < (unsigned long)count && !problem; i++) {
        float draw[3];
        const unsigned long seed = 8 + i + 1000 * check_seed();
        matgen(draw, 3, 1, 3, seed);
        const operand_kind kind =
            (operand_kind)((i + (unsigned long)(draw[2] * 1000)) % OPERAND_KINDS);
        const product p = {
            kind,  1 + (int)(draw[0] * (float)most), seed, (int)(draw[1] * 20), (int)(draw[2] * 4),
            i == 0};
        if ((parity < 0 || seed % 2 == (unsigned long)parity) && !is_beyond(facts, kind, p.n))
            problem = test(&p, context);
    }
    return problem;
}
