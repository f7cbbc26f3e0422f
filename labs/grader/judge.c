/* judge.c - makes the inputs of a case and judges its outputs; never linked with a student's file.
 *
 *     judge make FILE VALUES CASE        writes the case file: inputs, C poisoned, gaps between
 *                                        rows and guards poisoned
 *     judge check FILE VALUES CASE TILE SHOW   says what is wrong in FILE, one line for each fact;
 *                                        verdict.py makes sentences
 *
 * VALUES: a file for the values (disguise.h), and then the inputs in FILE are tokens; - for none.
 * `check` reads there what was fetched from the device, for C has tokens then, too. CASE is: TYPE M
 * N K STRIDE_A STRIDE_B STRIDE_C KIND SEED PARAMETER VARIANT. Each element is a function of the
 * seed: `check` makes inputs and product anew and trusts nothing in the file. SHOW: a corner of C.
 */
#define _GNU_SOURCE
#include "casefile.h"
#include "disguise.h"
#include "element.h"
#include "result.h"
#include "tokens.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *sentence) {
    fprintf(stderr, "judge: %s\n", sentence);
    exit(2);
}

/* ---- the case ---- */

static case_header header;
static enum { RANDOM, SUM, POSITIVE, UNIFORM, IDENTITY, PERMUTATION, LARGE, KINDS } kind;
static const char *const KIND_NAMES[KINDS] = {"random",   "sum",         "positive", "uniform",
                                              "identity", "permutation", "large"};
static uint64_t seed;

static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || end == text || value < -1000000000 || value > 1000000000)
        die("a number was expected");
    return (int)value;
}

static void place(case_matrix *m, int rows, int columns, int stride) {
    if (rows < 1 || columns < 1 || stride < columns)
        die("a matrix has at least one row and column, and its stride is at least its columns");
    *m = (case_matrix){rows, columns, stride, 0, header.bytes};
    size_t bytes = (size_t)rows * (size_t)stride * size_of(header.type);
    header.bytes += (bytes + 255) / 256 * 256 + GUARD;
}

static void read_case(char **word) {
    header.type = strcmp(word[0], "int") == 0      ? LAB_INT
                  : strcmp(word[0], "float") == 0  ? LAB_FLOAT
                  : strcmp(word[0], "double") == 0 ? LAB_DOUBLE
                                                   : -1;
    if (header.type < 0)
        die("a type is int, float or double");
    int m = number(word[1]), n = number(word[2]), k = number(word[3]);
    header.bytes = 2 * GUARD;
    place(&header.a, m, k, number(word[4]));
    place(&header.b, k, n, number(word[5]));
    place(&header.c, m, n, number(word[6]));
    while (kind < KINDS && strcmp(word[7], KIND_NAMES[kind]) != 0)
        kind++;
    if (kind == KINDS)
        die("there is no such kind of input");
    seed = strtoull(word[8], NULL, 10);
    header.parameter = number(word[9]);
    if (strlen(word[10]) >= sizeof header.variant)
        die("a variant's name has at most 31 letters");
    strcpy(header.variant, word[10]);
}

/* ---- inputs: small integers, so that every type holds the product exactly; "uniform" has a
 * tolerance ---- */

static uint64_t hash(uint64_t matrix, uint64_t i, uint64_t j) {
    uint64_t x =
        seed + matrix * 0x9E3779B97F4A7C15u + i * 0xD1B54A32D192ED03u + j * 0x8CB92BA72F3D8DD7u;
    for (int round = 0; round < 2; round++) {
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
        x = (x ^ x >> 27) * 0x94D049BB133111EBu;
        x ^= x >> 31;
    }
    return x;
}

static double input(int which, int i, int j) {
    uint64_t h = hash((uint64_t)which, (uint64_t)i, (uint64_t)j);
    if (kind == SUM)
        return i + j;
    if (kind == POSITIVE)
        return (double)(h >> 40) * 0x1p-24;
    if (kind == UNIFORM) {
        double x = (double)(h >> 11) * 0x1p-52 - 1;
        return header.type == LAB_FLOAT ? (float)x : x;
    }
    if (which == 0 && kind == IDENTITY)
        return i == j;
    if (which == 0 &&
        kind == PERMUTATION) /* a 1 in each row, in different columns while there are any */
        return j == (int)(((uint64_t)i + hash(3, 0, 0)) * 7919 % (uint64_t)header.a.columns);
    uint64_t most = 9;
    if (kind == LARGE) /* the sums need all of the type's digits */
        most = (uint64_t)sqrt((header.type == LAB_INT ? 0x1p31 : 0x1p24) / header.a.columns) - 1;
    if (kind == LARGE && header.type == LAB_DOUBLE)
        most *= 1 << 14;
    return (double)(h % (2 * most + 1)) - (double)most;
}

static void put(char *place, double value) { put_element(header.type, place, value); }
static double get(const char *place) { return get_element(header.type, place); }

/* No result is so large, and no NaN of a computation has these bits. */
static void poison(char *place, uint64_t number) {
    static uint64_t page = UINT64_MAX;
    static uint32_t u;
    if (page != number / 4096) {
        page = number / 4096;
        u = (uint32_t)hash(4, page, 0) % 100000000;
    }
    int i = 2000000000 + (int)u;
    uint32_t f = 0x7FC00000u + u % 0x3FFFFF + 1;
    uint64_t d = 0x7FF8000000000000u + u + 1;
    memcpy(place,
           header.type == LAB_INT     ? (void *)&i
           : header.type == LAB_FLOAT ? (void *)&f
                                      : (void *)&d,
           size_of(header.type));
}

static char *at(char *file, const case_matrix *m, int i, int j) {
    return file + m->offset + ((size_t)i * (size_t)m->stride + (size_t)j) * size_of(header.type);
}

static disguise_header disguise; /* count 0: the inputs are themselves */

static void fill(char *file, int which, const case_matrix *m, int as_tokens) {
    uint64_t number = which ? (uint64_t)header.a.rows * (uint64_t)header.a.columns : 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++, number++) {
            if (as_tokens) {
                uint64_t token = make_token(number, disguise.key, disguise.element);
                memcpy(at(file, m, i, j), &token, disguise.element);
            } else
                put(at(file, m, i, j), input(which, i, j));
        }
}

static void set_disguise(void) {
    disguise.key = hash(7, 0, 0);
    disguise.used = disguise.count = (uint64_t)header.a.rows * (uint64_t)header.a.columns +
                                     (uint64_t)header.b.rows * (uint64_t)header.b.columns;
    disguise.element = (uint32_t)size_of(header.type);
    disguise.type = (uint32_t)header.type;
    /* What a program may fetch. In memory that it shares with kernels each launch fetches anew. */
    const uint64_t result = (uint64_t)header.c.rows * (uint64_t)header.c.columns;
    disguise.capacity = 64 * (disguise.count + result) + 65536;
    choose_key(&disguise);
}

static void write_values(const char *path) {
    char *file = calloc(disguise.count, disguise.element), *next = file;
    FILE *out = fopen(path, "wb");
    if (!file || !out)
        die("no memory for the values");
    const case_matrix *both[] = {&header.a, &header.b};
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < both[which]->rows; i++)
            for (int j = 0; j < both[which]->columns; j++, next += disguise.element)
                put(next, input(which, i, j));
    if (fwrite(&disguise, sizeof disguise, 1, out) != 1 ||
        fwrite(file, disguise.element, disguise.count, out) != disguise.count || fclose(out) != 0 ||
        truncate(path, (off_t)(sizeof disguise + disguise.capacity * disguise.element)) != 0)
        die("the values could not be written");
    free(file);
}

static char *make(int as_tokens) {
    char *file = malloc(header.bytes);
    if (!file)
        die("no memory for the case");
    for (size_t i = 0; i + size_of(header.type) <= header.bytes; i += size_of(header.type))
        poison(file + i, i);
    memset(file, 0, GUARD);
    memcpy(file, &header, sizeof header);
    fill(file, 0, &header.a, as_tokens);
    fill(file, 1, &header.b, as_tokens);
    return file;
}

/* ---- the product ---- */

/* A matrix as a formula might read it: element (i, j) is element i * row + j * column of the memory
 * at `start`. */
typedef struct view {
    const double *start;
    size_t row, column;
} view;

static void multiply(view a, view b, double *c, int m, int n, int k) {
    for (int i = 0; i < m; i++) {
        double *out = c + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++)
            out[j] = 0;
        for (int l = 0; l < k; l++) {
            double x = a.start[(size_t)i * a.row + (size_t)l * a.column];
            const double *y = b.start + (size_t)l * b.row;
            if (b.column == 1)
                for (int j = 0; j < n; j++)
                    out[j] += x * y[j];
            else
                for (int j = 0; j < n; j++)
                    out[j] += x * y[(size_t)j * b.column];
        }
    }
}

/* The whole memory of a matrix, gaps included, as doubles. */
static double *doubles(char *file, const case_matrix *m) {
    size_t count = (size_t)m->rows * (size_t)m->stride;
    double *d = malloc(count * sizeof *d);
    if (!d)
        die("no memory for the product");
    for (size_t i = 0; i < count; i++)
        d[i] = get(file + m->offset + i * size_of(header.type));
    return d;
}

static void print_value(double x) {
    if (header.type == LAB_INT || (fabs(x) < 1e9 && x == floor(x)))
        printf(" %.0f", x);
    else
        printf(" %.9g", x);
}

/* Bytes that nobody may change: all but C's elements. One fact for the first of each kind. */
static void find_damage(const char *file, const char *fresh) {
    size_t element = size_of(header.type);
    const case_matrix *all[] = {&header.a, &header.b, &header.c};
    int told[8] = {0};
    for (size_t i = 0; i < header.bytes; i++) {
        if (i % 4096 == 0 && i + 4096 <= header.bytes && memcmp(file + i, fresh + i, 4096) == 0) {
            i += 4095;
            continue;
        }
        if (file[i] == fresh[i])
            continue;
        int nearest = 2; /* the matrix that it lies in or before or, for C, behind */
        while (nearest > 0 && i < all[nearest]->offset)
            nearest--;
        const case_matrix *m = all[nearest];
        long long e = ((long long)i - (long long)m->offset) / (long long)element;
        long long row = e / m->stride, column = e % m->stride;
        int inside = i >= m->offset && row < m->rows;
        if (inside && nearest == 2 && column < m->columns)
            continue;
        int place = inside ? (column < m->columns ? nearest : 3 + nearest) : nearest == 2 ? 6 : 7;
        if (place == 7 && i + GUARD >= all[2]->offset && i < all[2]->offset)
            e = ((long long)i - (long long)all[2]->offset) /
                (long long)element; /* elements before C */
        if (!told[place]++)
            switch (place) {
            case 0:
            case 1:
                printf("input %c %lld %lld\n", "AB"[nearest], row, column);
                break;
            case 3:
            case 4:
            case 5:
                printf("gap %c %lld %lld\n", "ABC"[nearest], row, column);
                break;
            case 6:
                printf("after %lld %lld\n", row, column);
                break;
            default:
                printf("before %lld\n", e < 0 ? -e : 0);
            }
        i = i / element * element + element - 1;
    }
}

/* Products that a known mistake gives. Prints the name of the first that is what the file holds. */
static void find_mistake(const double *a, const double *b, char *file, int tile) {
    int m = header.c.rows, n = header.c.columns, k = header.a.columns;
    size_t sa = (size_t)header.a.stride, sb = (size_t)header.b.stride;
    size_t dense_a = (size_t)k, dense_b = (size_t)n;
    int square = m == n && n == k;
    struct {
        const char *name;
        int possible;
        view a, b;
        int k, transposed;
    } mistakes[] = {
        {"transposed", m == n, {a, sa, 1}, {b, sb, 1}, k, 1},
        {"operands", square, {b, sb, 1}, {a, sa, 1}, k, 0},
        {"a_transposed", m == k, {a, 1, sa}, {b, sb, 1}, k, 0},
        {"b_transposed", n == k, {a, sa, 1}, {b, 1, sb}, k, 0},
        {"both_transposed", square, {a, 1, sa}, {b, 1, sb}, k, 0},
        {"k_tail", k % tile != 0 && k > tile, {a, sa, 1}, {b, sb, 1}, k - k % tile, 0},
        {"first_tile", k > tile, {a, sa, 1}, {b, sb, 1}, tile, 0},
        {"last_term", k > 1, {a, sa, 1}, {b, sb, 1}, k - 1, 0},
        {"stride_a", sa != dense_a, {a, dense_a, 1}, {b, sb, 1}, k, 0},
        {"stride_b", sb != dense_b, {a, sa, 1}, {b, dense_b, 1}, k, 0},
        {"stride_ab", sa != dense_a && sb != dense_b, {a, dense_a, 1}, {b, dense_b, 1}, k, 0},
    };
    double *row = malloc((size_t)n * sizeof *row);
    for (size_t t = 0; row && t < sizeof mistakes / sizeof *mistakes; t++) {
        int same = mistakes[t].possible;
        for (int i = 0; same && i < m; i++) {
            view a_row = mistakes[t].a;
            a_row.start += (size_t)i * a_row.row;
            multiply(a_row, mistakes[t].b, row, 1, n, mistakes[t].k);
            for (int j = 0; same && j < n; j++) {
                int transposed = mistakes[t].transposed;
                double got = get(at(file, &header.c, transposed ? j : i, transposed ? i : j)),
                       would = wrapped(header.type, row[j]);
                same = got == would || (isnan(got) && isnan(would)) ||
                       fabs(got - would) <= 1e-6 * fabs(would);
            }
        }
        if (same) {
            printf("mistake %s\n", mistakes[t].name);
            break;
        }
    }
    free(row);
}

/* Which rows of a large product are judged element by element: about 32, drawn, and those (64 at
 * most) whose sum with drawn signs is not what A times (B times the signs) says. */
static char *choose_rows(char *file, view a, view b, int m, int n, int k, double relative) {
    char *chosen = calloc((size_t)m, 1);
    double *sums = calloc((size_t)k, sizeof *sums),
           *magnitudes = calloc((size_t)k, sizeof *magnitudes);
    if (!chosen || !sums || !magnitudes)
        die("no memory for the product");
    for (int l = 0; l < k; l++)
        for (int j = 0; j < n; j++) {
            double x = b.start[(size_t)l * b.row + (size_t)j];
            sums[l] += hash(6, (uint64_t)j, 0) & 1 ? x : -x;
            magnitudes[l] += fabs(x);
        }
    int wrong_rows = 0;
    for (int i = 0; i < m; i++) {
        double right = 0, got = 0, magnitude = 0;
        for (int l = 0; l < k; l++) {
            right += a.start[(size_t)i * a.row + (size_t)l] * sums[l];
            magnitude += fabs(a.start[(size_t)i * a.row + (size_t)l]) * magnitudes[l];
        }
        for (int j = 0; j < n; j++) {
            double x = get(at(file, &header.c, i, j));
            got += hash(6, (uint64_t)j, 0) & 1 ? x : -x;
        }
        int is_wrong = !(fabs(got - right) <= relative * magnitude);
        chosen[i] = m < 64 || hash(5, (uint64_t)i, 0) % ((uint64_t)m / 32) == 0 ||
                    (is_wrong && wrong_rows++ < 64);
    }
    free(sums);
    free(magnitudes);
    return chosen;
}

static int check(char *file, const char *values, int tile, int show) {
    char *fresh = make(disguise.count > 0), *plain = make(0);
    if (disguise.count > 0)
        reveal_result(file, fresh, &header.c, &disguise, values);
    int m = header.c.rows, n = header.c.columns, k = header.a.columns;
    double *a = doubles(plain, &header.a), *b = doubles(plain, &header.b);
    double *c = calloc((size_t)m * (size_t)n, sizeof *c), *magnitude = NULL;
    if (!c)
        die("no memory for the product");
    double relative = kind == POSITIVE ? 1e-6 : 0;
    view view_a = {a, (size_t)header.a.stride, 1}, view_b = {b, (size_t)header.b.stride, 1};
    char *chosen = NULL;
    if (relative > 0 && (double)m * n * k > 4e9) {
        chosen = choose_rows(file, view_a, view_b, m, n, k, relative);
        for (int i = 0; i < m; i++)
            if (chosen[i])
                multiply((view){a + (size_t)i * view_a.row, view_a.row, 1}, view_b,
                         c + (size_t)i * (size_t)n, 1, n, k);
    } else if (!lab_result || !lab_result(0, header.variant, a, b, c, m, n, k))
        multiply(view_a, view_b, c, m, n, k);
    double limit = header.type == LAB_INT     ? 0x1p31
                   : header.type == LAB_FLOAT ? 0x1p24
                                              : 0x1p53,
           largest = 0;
    for (size_t e = 0; e < (size_t)m * (size_t)n; e++)
        largest = fmax(largest, fabs(c[e]));
    double epsilon = 0;
    if (kind == UNIFORM || !(largest < limit)) {
        if (header.type == LAB_INT)
            die("the product of this case does not fit its type");
        /* a rounding error is at most epsilon times the sum of the terms' magnitudes, for each of k
         * additions */
        epsilon = header.type == LAB_FLOAT ? 0x1p-23 : 0x1p-52;
        double *x = doubles(plain, &header.a), *y = doubles(plain, &header.b);
        for (size_t i = 0; i < (size_t)header.a.rows * (size_t)header.a.stride; i++)
            x[i] = fabs(x[i]);
        for (size_t i = 0; i < (size_t)header.b.rows * (size_t)header.b.stride; i++)
            y[i] = fabs(y[i]);
        magnitude = malloc((size_t)m * (size_t)n * sizeof *magnitude);
        if (!magnitude)
            die("no memory for the product");
        multiply((view){x, view_a.row, 1}, (view){y, view_b.row, 1}, magnitude, m, n, k);
        free(x);
        free(y);
    }

    size_t wrong = 0, unwritten = 0, blank = 0, nan = 0, zero = 0, edge = 0, diagonal = 0;
    double worst = 0, allowed = 0; /* where an error is measured: the largest, by its limit */
    int first_i = 0, first_j = 0, low_i = m, high_i = -1, low_j = n, high_j = -1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n && (!chosen || chosen[i]); j++) {
            size_t e = (size_t)i * (size_t)n + (size_t)j;
            char *place = at(file, &header.c, i, j);
            double got = get(place);
            const double error = fabs(got - c[e]),
                         most = magnitude ? (k + 1) * epsilon * magnitude[e] : relative * c[e];
            if (error <= most)
                continue;
            if (most > 0 && error * allowed >= worst * most)
                worst = error, allowed = most;
            if (!wrong++)
                first_i = i, first_j = j;
            if (memcmp(place, at(fresh, &header.c, i, j), size_of(header.type)) == 0)
                unwritten++;
            else if (memcmp(place, "\xff\xff\xff\xff\xff\xff\xff\xff", size_of(header.type)) == 0)
                blank++; /* so cudacpu fills device memory; but it may be a student's -1 */
            else if (isnan(got))
                nan++;
            else if (got == 0)
                zero++;
            edge += i >= m / tile * tile || j >= n / tile * tile;
            diagonal += i == j;
            low_i = i < low_i ? i : low_i, high_i = i > high_i ? i : high_i;
            low_j = j < low_j ? j : low_j, high_j = j > high_j ? j : high_j;
        }
    for (int i = 0; i < show && i < m; i++) {
        printf("corner");
        for (int j = 0; j < show && j < n; j++) {
            print_value(get(at(file, &header.c, i, j)));
            print_value(c[(size_t)i * (size_t)n + (size_t)j]);
        }
        printf("\n");
    }
    find_damage(file, fresh);
    /* In a float it may also be a sum's NaN; in lab 0, whose device has C's poison, a -1. */
    if (header.type == LAB_INT && !lab_result && unwritten + blank == wrong)
        unwritten += blank, blank = 0;
    if (wrong) {
        printf("wrong %zu unwritten %zu nan %zu zero %zu edge %zu diagonal %zu blank %zu\n", wrong,
               unwritten, nan, zero, edge, diagonal, header.type == LAB_INT ? 0 : blank);
        if (allowed > 0)
            printf("error %.3g %.3g\n", relative > 0 ? worst / allowed * relative : worst,
                   relative > 0 ? relative : allowed);
        printf("box %d %d %d %d\n", low_i, high_i, low_j, high_j);
        printf("first %d %d", first_i, first_j);
        print_value(get(at(file, &header.c, first_i, first_j)));
        print_value(c[(size_t)first_i * (size_t)n + (size_t)first_j]);
        printf("\n");
        const double *got = doubles(file, &header.c);
        if (header.type != LAB_FLOAT && are_rounded(got, (size_t)header.c.stride, c, m, n))
            printf("rounded\n");
        const char *mistake = lab_mistake ? lab_mistake(header.variant, a, b, got, m, n, k) : NULL;
        if (mistake)
            printf("mistake %s\n", mistake);
        else if (!lab_mistake && (double)m * n * k < 2e8 && unwritten + blank + nan + zero < wrong)
            find_mistake(a, b, file, tile);
    }
    printf("judged\n");
    return 0;
}

int main(int count, char **word) {
    const int makes = count == 15 && strcmp(word[1], "make") == 0;
    if (!makes && (count != 17 || strcmp(word[1], "check") != 0))
        die("make FILE VALUES CASE, or check FILE VALUES CASE TILE SHOW");
    read_case(word + 4);
    if (strcmp(word[3], "-") != 0)
        set_disguise();
    if (makes) {
        char *file = make(disguise.count > 0);
        FILE *out = fopen(word[2], "wb");
        if (!out || fwrite(file, 1, header.bytes, out) != header.bytes || fclose(out) != 0)
            die("the case could not be written");
        if (disguise.count > 0)
            write_values(word[3]);
        return 0;
    }
    char *file = malloc(header.bytes + 1);
    FILE *in = fopen(word[2], "rb");
    if (!file || !in || fread(file, 1, header.bytes + 1, in) != header.bytes)
        die("the case file has another size than its case");
    fclose(in);
    return check(file, word[3], number(word[15]), number(word[16]));
}
