/* measure.c - the whole product with tiles, from host memory to host memory, with pinned and with
 * pageable memory.
 *
 * Time by CUDA events around the call: allocation and copies on the device included. Median of
 * several calls. */
#include "cuda_check.h"
#include "timing.h"
#include <stdbool.h>

#ifndef ELEMENT
#define ELEMENT float
#endif

/* as in student.cu */
typedef struct Matrix {
    int width, height, stride;
    ELEMENT *elements;
} Matrix;
void multiply_tiled(Matrix a, Matrix b, Matrix c);
ELEMENT *allocate_host(size_t elements, bool pinned);
void free_host(ELEMENT *memory, bool pinned);

#ifdef __CUDACPU__
enum { CALLS = 3, LARGE = 400 };
#else
enum { CALLS = 11, LARGE = 2000 };
#endif

static Matrix matrix(int height, int width, bool pinned) {
    Matrix m = {width, height, width, allocate_host((size_t)height * width, pinned)};
    if (!m.elements) {
        fprintf(stderr, "measure: allocate_host gave NULL\n");
        exit(1);
    }
    for (size_t i = 0; i < (size_t)height * width; i++)
        m.elements[i] = (ELEMENT)(i % 7);
    return m;
}

static void measure(int m, int n, int k, bool pinned) {
    double allocation[CALLS], call[CALLS];
    for (int i = -1; i < CALLS; i++) { /* -1: a first call, not counted */
        double start = wall_seconds();
        Matrix a = matrix(m, k, pinned), b = matrix(k, n, pinned), c = matrix(m, n, pinned);
        double allocated = wall_seconds() - start;
        kernel_timer timer = start_kernel_timer();
        multiply_tiled(a, b, c);
        double called = stop_kernel_timer(&timer);
        free_host(a.elements, pinned);
        free_host(b.elements, pinned);
        free_host(c.elements, pinned);
        if (i >= 0)
            allocation[i] = allocated, call[i] = called;
    }
    printf("%4d x %-4d  %4d x %-4d  %-11s  %18.3f  %14.3f\n", m, k, k, n,
           pinned ? "pinned" : "pageable", 1e3 * median(allocation, CALLS),
           1e3 * median(call, CALLS));
}

int main(void) {
    printf("%-11s  %-11s  %-11s  %18s  %14s\n", "A", "B", "host memory", "allocate, fill: ms",
           "whole call: ms");
    for (int large = 0; large < 2; large++)
        for (int pinned = 0; pinned < 2; pinned++)
            if (large)
                measure(LARGE, LARGE, LARGE, pinned);
            else
                measure(80, 80, 2000, pinned);
#ifdef __CUDACPU__
    printf("On the CPU both are the same memory: a difference is noise. On a GPU it is not.\n");
#endif
    return 0;
}
