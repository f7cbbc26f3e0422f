/* try.c - one product of student.cu on a matrix of your choice, to run under inspect or compute-sanitizer.
 *
 *     try PRODUCT M N K      C (M x N) = A (M x K) B (K x N), random small integers */
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>

enum { NEVER_WRITTEN = -99999 };

static lab_matrix matrix(int rows, int columns) {
    lab_matrix m = {rows, columns, columns, LAB_INT, malloc((size_t)rows * columns * sizeof(int))};
    int *element = m.elements;
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        element[i] = rand() % 19 - 9;
    return m;
}

static int right(const int *a, const int *b, int row, int column, int n, int k) {
    int sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
    return sum;
}

static int compare(const lab_case *it) {
    int m = it->c.rows, n = it->c.columns, k = it->a.columns, wrong = 0;
    const int *c = it->c.elements;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            int expected = right(it->a.elements, it->b.elements, row, column, n, k), got = c[(size_t)row * n + column];
            if (got != expected && wrong++ == 0)
                printf(got == NEVER_WRITTEN ? "wrong: row %d, column %d: %d expected, never written\n"
                                            : "wrong: row %d, column %d: %d expected, %d got\n",
                       row, column, expected, got);
        }
    printf("product %s, %d x %d, k = %d: %d of %d elements are wrong\n", it->variant, m, n, k, wrong, m * n);
    return wrong != 0;
}

int main(int count, char **argument) {
    int size[3] = {0};
    for (int i = 0; i < 3 && count == 5; i++)
        size[i] = atoi(argument[2 + i]);
    if (count != 5 || atoi(argument[1]) < 1 || atoi(argument[1]) > 8 || size[0] < 1 || size[1] < 1 || size[2] < 1) {
        fprintf(stderr, "usage: %s PRODUCT M N K: a product from 1 to 8, then the sizes, 1 or more\n", argument[0]);
        return 2;
    }
    lab_case it = {matrix(size[0], size[2]), matrix(size[2], size[1]), matrix(size[0], size[1]), argument[1], 0};
    int *c = it.c.elements;
    for (size_t i = 0; i < (size_t)size[0] * size[1]; i++)
        c[i] = NEVER_WRITTEN;
    int failed = lab_call(&it) != 0 || compare(&it) != 0;
    free(it.a.elements);
    free(it.b.elements);
    free(it.c.elements);
    return failed;
}
