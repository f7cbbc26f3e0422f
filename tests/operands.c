/* operands.c - the kinds of operands that every step is tried on. */
#include "operands.h"
#include "matgen.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

const char *const operand_names[OPERAND_KINDS] = {
    "uniform",        "identity",    "permutation",
    "zeros",          "cancelling",  "integers",
    "spikes",         "large first", "square roots",
    "gram",           "magnitudes",  "large",
    "tiny",           "subnormal",   "infinite",
    "specials",       "overflowing", "partial overflow",
    "normal",         "half slices", "one outlier",
    "outlier vector", "outlier k",   "fallbacks",
    "at the limit",   "one NaN",     "one limit",
    "largest float"};

/* Where an element, a row or a column, or a k stands out. */
typedef struct place {
    int row, column, k;
    int last; /* it is the last one, not a drawn one */
} place;

static place draw_place(int n, unsigned long seed) {
    float draw[3];
    matgen(draw, 3, 1, 3, 1000000 + seed);
    const place last = {n - 1, n - 1, n - 1, 1},
                drawn = {(int)(draw[0] * (float)n), (int)(draw[1] * (float)n),
                         (int)(draw[2] * (float)n), 0};
    return seed / 2 % 2 ? last : drawn;
}

/* AT_THE_LIMIT: where slices of 8 bits leave out nearly 1e-6 (|A| |B|)_ij, and a little more. The
 * elements of a vector are steady + alternating and steady - alternating by turns, so that the
 * products that are left out all have one sign and the bound's lengths are exact. One element is
 * 127: the scale is then 65536. It meets a 0. */
typedef struct limit_vector {
    float steady, alternating;
} limit_vector;

#define MIDDLE 0x1p-8f /* 1 in the second slice, and in the third */
#define LOW 0x1p-16f
static const limit_vector STEADY = {127, 0}, LOW_COLUMN = {126, 112 * LOW},
                          MIDDLE_COLUMN = {126, 127 * MIDDLE}, SMALL_COLUMN = {2 + 120 * LOW, 0};
/* Behind each what is left out, the vector that it takes (a steady one if none is named) and the
 * error in 1e-6 (|A| |B|)_ij. Those above 1 are accepted as soon as a bound lacks that term, or
 * asks for no more than 1.2e-6. */
static const limit_vector LIMITS[] = {
    {127, 0},                     /* nothing: shows the columns below */
    {9 + LOW / 2, 0},             /* rounding: 0.85 */
    {7 + LOW / 2, 0},             /* 1.09 */
    {8, 127 * MIDDLE},            /* x1 y2, LOW_COLUMN: 0.84 */
    {6, 127 * MIDDLE},            /* 1.12 */
    {8, 112 * LOW},               /* x2 y1, MIDDLE_COLUMN: 0.84 */
    {6, 112 * LOW},               /* 1.12 */
    {120 * LOW, 2},               /* x2 y2, SMALL_COLUMN, in a sum that cancels: 0.84 */
    {120 * LOW, 1},               /* 1.68 */
    {7 * LOW / 256, 32897 * LOW}, /* rounding, and it cancels; |x| is half of |x0|: 0.83 */
    {9 * LOW / 256, 32897 * LOW}, /* 1.07 */
    {0, 9 - 127 * MIDDLE},        /* x1 y2, LOW_COLUMN, and it cancels: 0.79 */
    {0, 9 - 112 * LOW},           /* x2 y1, MIDDLE_COLUMN, and it cancels: 0.75 */
};
enum { LIMIT_COUNT = sizeof LIMITS / sizeof *LIMITS };
/* A tile has one of them: those for the rows above, or with an odd seed the first one has a limit
 * of columns. */
static const limit_vector *const LIMIT_COLUMNS[][4] = {
    {&LOW_COLUMN, &MIDDLE_COLUMN, &SMALL_COLUMN, &LOW_COLUMN},
    {&LIMITS[2], &STEADY, &STEADY, &STEADY},
    {&LIMITS[10], &STEADY, &STEADY, &STEADY},
};

/* One column of each 128 stands out, and with an even seed one row of each second 16: so few that
 * less than a third of C is rejected. With the last place it begins in the middle of LIMITS. one:
 * one row of all. A, or with an odd seed B, is negative; but not where one row of all is at the
 * last place: there nothing is. */
static float limit_element(int vector, int k, int n, int second, int odd, int one, place out) {
    enum { ROWS = 16, COLUMNS = 128, ONE = 4 };
    const int own = (out.k + second) % n, other = (out.k + !second) % n, group = vector / ROWS,
              tile = vector / COLUMNS;
    const float sign = second == odd && !(one && out.last) ? -1 : 1;
    if (k == other)
        return 0;
    if (k == own)
        return sign * 127;
    const limit_vector *v = &STEADY;
    if (!second && one && vector == out.row)
        v = &LIMITS[ONE];
    if (!second && !one && !odd && group % 2 == 0 && vector % ROWS == (5 * group + out.row) % ROWS)
        v = &LIMITS[(group / 2 + out.last * (LIMIT_COUNT / 2)) % LIMIT_COUNT];
    if (second) {
        const int last = n - 1 - tile * COLUMNS,
                  drawn = tile % 2 ? out.column % COLUMNS : COLUMNS - 1;
        if (vector % COLUMNS == (drawn < last ? drawn : last))
            v = one ? &LOW_COLUMN : LIMIT_COLUMNS[odd ? 1 + out.last : 0][tile % 4];
    }
    return sign * (k % 2 ? v->steady - v->alternating : v->steady + v->alternating);
}

/* FALLBACKS: a few rows, and a column or one with an infinity, so that less than a third of C needs
 * double. The last row and column are zeros, which an infinity meets. */
static operand_kind find_kind_of_row(int i, int n) {
    const int one = i % 16 == 5;
    if (i == n - 1)
        return ZEROS;
    switch (i / 16) {
    case 9:
        return NORMAL;
    case 12:
        return CANCELLING;
    case 14:
        return one ? MAGNITUDES : UNIFORM;
    case 17:
        return one ? OUTLIER_K : UNIFORM;
    default:
        return UNIFORM;
    }
}
static operand_kind find_kind_of_column(int j, int n, int special) {
    return j == 77 || j == n - 1 ? ZEROS : j == 205 && !special ? MAGNITUDES : UNIFORM;
}

/* Element (i, j) of an operand, from the uniform number u. second: it is B; special: it is the one
 * of the two that is not just uniform. */
static float element(operand_kind kind, float u, int i, int j, int n, int second, int special,
                     place out) {
    const float signed_u = u - 0.5f;
    switch (kind) {
    case IDENTITY:
        return special ? i == j : u;
    case PERMUTATION:
        return special ? j == (i * (n % 7 ? 7 : 1) + 3) % n : u; /* not symmetric */
    case ZEROS:
        return special ? 0 : u;
    case CANCELLING:
        return signed_u;
    case INTEGERS:
        return floorf(u * 17) - 8;
    case SPIKES:
        return (second ? i : j) == ((second ? 5 * j : 3 * i) + 1) % n ? 1 : 0.0123456789f;
    case LARGE_FIRST:
        return second ? 1.68702614f : j % 64 < 19 ? 1 : 7.91644e-06f;
    case SQUARE_ROOTS: /* at n = 2048 long sums on the diagonal are all rounded one way */
        return sqrtf((float)((2806 * (second ? j : i) + 504 * (second ? i : j)) % 3072));
    case GRAM: {
        float draw;
        matgen(&draw, 1, 1, 1,
               second ? (uint64_t)j << 32 | (uint64_t)i : (uint64_t)i << 32 | (uint64_t)j);
        return floorf(draw * 1024) / 1024;
    }
    case MAGNITUDES:
        return ldexpf(signed_u, (i * 5 + j * 11) % 81 - 40);
    case LARGE:
        return ldexpf(signed_u, 61);
    case TINY:
        return ldexpf(signed_u, -70);
    case SUBNORMAL:
        return ldexpf(signed_u, special ? -130 : 5);
    case INFINITE:
        return special && i == out.row && j == out.column ? INFINITY : u;
    case ONE_NAN:
        return special && i == out.row && j == out.column ? NAN : u;
    case OVERFLOWING: /* rows of both signs */
        return ldexpf(!second && i % 2 ? -u : u, 66);
    case PARTIAL_OVERFLOW: /* the second half takes away what the first has added */
        return ldexpf(!second && j >= n / 2 ? -u : u, 63);
    case NORMAL: { /* Box and Muller */
        float angle;
        matgen(&angle, 1, 1, 1, (uint64_t)i << 32 | (uint64_t)(2 * j + second));
        return (float)(sqrt(-2 * log1p(-(double)u)) * cos(6.283185307179586 * (double)angle));
    }
    case HALF_SLICES: /* 127 makes the scale 65536 */
        return (second ? i : j) == ((second ? 5 * j : 3 * i) + 1) % n ? 127 : floorf(u * 8) - 3.5f;
    case ONE_OUTLIER:
        return special && i == out.row && j == out.column ? 1e6f : signed_u;
    case OUTLIER_VECTOR:
        return special && (second ? j : i) == (second ? out.column : out.row) ? 1e6f * signed_u
                                                                              : signed_u;
    case OUTLIER_K:
        return (second ? i : j) == out.k ? 1e6f * signed_u : signed_u;
    case FALLBACKS: {
        const int vector = second ? j : i;
        if (special && vector == out.row)
            return i == out.k || j == out.k ? INFINITY : u;
        return element(second ? find_kind_of_column(j, n, special) : find_kind_of_row(i, n), u, i,
                       j, n, second, 1, out);
    }
    case LARGEST_FLOAT: { /* one row of 48, one column of four; the sum is n 1.37 * 2^63 * b */
        const int stands_out = second ? j % 4 == out.column % 4 : i % 48 == out.row % 48;
        const double of_a = 1.37 * 0x1p63, of_b = 0x1p128 / of_a / n;
        return !stands_out ? u
               : second    ? (float)(of_b * (1 + (j / 4 % 8 - 4) * 0x1p-24))
                           : (float)(of_a * (1 + (i / 48 % 8 - 4) * 0x1p-24));
    }
    case AT_THE_LIMIT:
    case ONE_LIMIT:
        return limit_element(second ? j : i, second ? i : j, n, second, second == special,
                             kind == ONE_LIMIT, out);
    default:
        return u;
    }
}

void fill_operand(float *a, int lda, int n, operand_kind kind, unsigned long seed, int second) {
    fill_operand_rows(a, lda, n, kind, seed, second, 0, n);
}

void fill_operand_rows(float *a, int lda, int n, operand_kind kind, unsigned long seed, int second,
                       int first, int end) {
    const int special = second == (int)(seed % 2);
    const place out = draw_place(n, seed);
    matgen_rows(a, lda, first, end, n, 2 * seed + (unsigned long)second);
    for (int i = first; i < end; i++)
        for (int j = 0; j < n; j++) {
            float *x = &a[(size_t)i * (size_t)lda + (size_t)j];
            *x = element(kind, *x, i, j, n, second, special, out);
        }
    static const float values[] = {INFINITY, -INFINITY, NAN,
                                   0}; /* each meets the one opposite: infinity times zero */
    for (int s = 0; s < 4 && kind == SPECIALS; s++) {
        float draw[3];
        matgen(draw, 3, 1, 3, 4 * seed + (unsigned long)s);
        const size_t i = (size_t)(draw[0] * (float)n), j = (size_t)(draw[1] * (float)n),
                     k = (size_t)(draw[2] * (float)n);
        const size_t row = second ? k : i, column = second ? j : k;
        if (row >= (size_t)first && row < (size_t)end)
            a[row * (size_t)lda + column] = values[second ? 3 - s : s];
    }
}
