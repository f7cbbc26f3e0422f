/* right.c - what each task of lab 0 asks for, and what its usual mistakes give; linked to the
 * judge, never to a student's file. */
#include "result.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, BINS = 19, LOWEST = -9 };

static double at(const double *x, int n, int i) { return i >= 0 && i < n ? x[i] : 0; }

/* Task 5: how many elements of its block of 256 are smaller; or another comparison. */
static double compared(int which, const double *x, int n, int i) {
    int first = i / BLOCK * BLOCK, count = 0;
    for (int j = first; j < first + BLOCK && j < n; j++)
        count += which == 0 ? x[j] < x[i] : which == 1 ? x[j] <= x[i] : x[j] > x[i];
    return count;
}

/* Task 7: the sum of a row; or of those columns that some mistakes add. */
static double row_sum(int which, const double *row, int columns) {
    double sum = 0;
    for (int j = 0; j < columns; j++) {
        int thread = j % BLOCK;
        if (which == 0 || (which == 1 && thread % 2 == 0) || (which == 2 && thread == 0) ||
            (which == 3 && thread < BLOCK / 2))
            sum += row[j];
    }
    return sum;
}

/* Task 10: the sum of an element and both its neighbours; or of those that some mistakes add. */
static double stencil(int which, const double *x, int n, int i) {
    int left = which != 1 && which != 3 && !(which == 4 && i % BLOCK == 0);
    int right = which != 2 && which != 3 && !(which == 4 && i % BLOCK == BLOCK - 1);
    return x[i] + (left ? at(x, n, i - 1) : 0) + (right ? at(x, n, i + 1) : 0);
}

static const char *const MISTAKES[11][5] = {
    [1] = {"right", "it is x, unchanged"},
    [2] = {"right", "it is x, unchanged"},
    [3] = {"right"},
    [4] = {"right", "it is a[column] * b[row]: row and column are exchanged"},
    [5] = {"right", "elements that are equal are counted, too", "larger elements are counted"},
    [7] = {"right", "the last step, part[0] += part[1], is left out",
           "it is part[0] as it was before the tree",
           "the first step, in which the upper half of the threads gives its sums, is left out"},
    [8] = {"right", "it is x as it lies in memory, not transposed"},
    [9] = {"right", "each count is one bin too low", "each count is one bin too high",
           "each count is 4 times as high: each of the 4 blocks counts all of x"},
    [10] = {"right", "the neighbour on the left is left out",
            "the neighbour on the right is left out", "both neighbours are left out",
            "the neighbours that belong to another block are left out"},
};

const char *lab_result(int which, const char *task, const double *a, const double *b, double *y,
                       int m, int n, int k) {
    int number = atoi(task);
    if (number < 1 || number > 10)
        return NULL;
    const char *name = which < 5 ? MISTAKES[number][which] : NULL;
    if (!name)
        return NULL; /* task 6 is a product */
    /* Of as many rows as columns both look alike. */
    if (number == 4 && which == 1 && m != n)
        name = "y is written column by column, at column * rows + row";
    if (number == 9)
        memset(y, 0, (size_t)n * sizeof *y);
    for (int i = 0; i < (number == 9 ? k : m * n); i++) {
        int row = i / n, column = i % n;
        switch (number) {
        case 1:
        case 2:
            y[i] = which == 0 ? 2 * b[i] : b[i];
            break;
        case 3:
            y[i] = b[i];
            break;
        case 4:
            y[i] = which == 0 ? a[row] * b[column] : a[i % m] * b[i / m];
            break;
        case 5:
            y[i] = compared(which, b, n, i);
            break;
        case 7:
            y[i] = row_sum(which, a + (size_t)i * (size_t)k, k);
            break;
        case 8: /* x has n rows and m columns */
            y[i] = which == 0 ? b[(size_t)column * (size_t)m + (size_t)row] : b[i];
            break;
        case 9: {
            int bin = (int)a[i] - LOWEST + (which == 2) - (which == 1);
            if (bin >= 0 && bin < BINS)
                y[bin] += which == 3 ? 4 : 1;
            break;
        }
        case 10:
            y[i] = stencil(which, b, n, i);
            break;
        }
    }
    return name;
}
