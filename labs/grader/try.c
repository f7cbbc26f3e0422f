/* try.c - one call of a student's file on matrices of your choice, to run under inspect or
 * compute-sanitizer.
 *
 *     try VARIANT M N K [PARAMETER]      C (M x N) = A (M x K) B (K x N), random small integers
 *
 * ELEMENT is the type of the matrices: int, float or double. */
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>

enum { NEVER_WRITTEN = -99999 };

unsigned long bytes_kept_of_freed(void) { return 0; } /* free() is the C library's here */

static lab_matrix matrix(int rows, int columns) {
    lab_type type = _Generic((ELEMENT)0, int : LAB_INT, float : LAB_FLOAT, double : LAB_DOUBLE);
    lab_matrix m = {rows, columns, columns, type, malloc((size_t)rows * columns * sizeof(ELEMENT))};
    ELEMENT *e = m.elements;
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        e[i] = rand() % 19 - 9;
    return m;
}

static ELEMENT right(const lab_case *it, int row, int column) {
    const ELEMENT *a = it->a.elements, *b = it->b.elements;
    ELEMENT sum = 0;
    for (int k = 0; k < it->a.columns; k++)
        sum += a[(size_t)row * it->a.columns + k] * b[(size_t)k * it->b.columns + column];
    return sum;
}

static int wrong_elements(const lab_case *it) {
    const ELEMENT *c = it->c.elements;
    int wrong = 0;
    for (int row = 0; row < it->c.rows; row++)
        for (int column = 0; column < it->c.columns; column++, c++) {
            ELEMENT expected = right(it, row, column);
            if (*c == expected || wrong++ > 0)
                continue;
            if (*c == NEVER_WRITTEN)
                printf("first wrong element: row %d, column %d: %g expected, never written\n", row,
                       column, (double)expected);
            else
                printf("first wrong element: row %d, column %d: %g expected, %g got\n", row, column,
                       (double)expected, (double)*c);
        }
    return wrong;
}

int main(int count, char **argument) {
    int m = count > 4 ? atoi(argument[2]) : 0, n = count > 4 ? atoi(argument[3]) : 0,
        k = count > 4 ? atoi(argument[4]) : 0;
    if (m < 1 || n < 1 || k < 1) {
        fprintf(stderr, "usage: %s VARIANT M N K [PARAMETER], with M, N and K at least 1\n",
                argument[0]);
        return 2;
    }
    lab_case it = {matrix(m, k), matrix(k, n), matrix(m, n), argument[1],
                   count > 5 ? atoi(argument[5]) : 0};
    ELEMENT *c = it.c.elements;
    for (size_t i = 0; i < (size_t)m * n; i++)
        c[i] = NEVER_WRITTEN;
    int failed = lab_call(&it);
    if (!failed) {
        int wrong = wrong_elements(&it);
        printf("%s: C %d x %d, k = %d: %d of %d elements are wrong\n", it.variant, m, n, k, wrong,
               m * n);
        failed = wrong > 0;
    }
    free(it.a.elements);
    free(it.b.elements);
    free(it.c.elements);
    return failed;
}
