/* call.cu - the tests' side of lab 0: the arrays go to the device, the task that a case names is
 * called once, its result comes back. */
#include "cuda_check.h"
#include "lab.h"

/* Each task's file is compiled and linked alone: the others' functions are not there then. */
#define TASK(number, ...) extern "C" __attribute__((weak)) void task##number(__VA_ARGS__)
TASK(1, const int *x, int *y, int n);
TASK(2, const int *x, int *y, int n);
TASK(3, const int *x, int *y, int n);
TASK(4, const int *a, const int *b, int *y, int rows, int columns);
TASK(5, const int *x, int *y, int n);
TASK(6, const int *a, const int *b, int *y, int k, int columns);
TASK(7, const int *x, int *y, int rows, int columns);
TASK(8, const int *x, int *y, int rows, int columns);
TASK(9, const int *x, int *counts, int n);
TASK(10, const int *x, int *y, int n);

static int *a, *b, *y; /* on the device */

static size_t bytes_of(lab_matrix m) { return (size_t)m.rows * m.columns * sizeof(int); }

static bool is_there(const void *function, int number) {
    if (!function)
        fprintf(stderr, "the file has no function task%d: was it renamed?\n", number);
    return function;
}

static bool call(int number, int m, int n, int k) {
    switch (number) {
    case 1:
        return is_there((void *)task1, 1) && (task1(b, y, n), true);
    case 2:
        return is_there((void *)task2, 2) && (task2(b, y, n), true);
    case 3:
        return is_there((void *)task3, 3) && (task3(b, y, n), true);
    case 4:
        return is_there((void *)task4, 4) && (task4(a, b, y, m, n), true);
    case 5:
        return is_there((void *)task5, 5) && (task5(b, y, n), true);
    case 6:
        return is_there((void *)task6, 6) && (task6(a, b, y, k, n), true);
    case 7:
        return is_there((void *)task7, 7) && (task7(a, y, m, k), true);
    case 8: /* x is what y is the transpose of */
        return is_there((void *)task8, 8) && (task8(b, y, n, m), true);
    case 9:
        return is_there((void *)task9, 9) && (task9(a, y, k), true);
    default:
        return is_there((void *)task10, 10) && (task10(b, y, n), true);
    }
}

int lab_call(const lab_case *given) {
    int number = atoi(given->variant);
    size_t bytes_a = bytes_of(given->a), bytes_b = bytes_of(given->b), bytes_y = bytes_of(given->c);
    CUDA_CHECK(cudaMalloc(&a, bytes_a));
    CUDA_CHECK(cudaMalloc(&b, bytes_b));
    CUDA_CHECK(cudaMalloc(&y, bytes_y));
    CUDA_CHECK(cudaMemcpy(a, given->a.elements, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, given->b.elements, bytes_b, cudaMemcpyHostToDevice));
    /* An element that is never written shows what the grader has put there. */
    CUDA_CHECK(cudaMemcpy(y, given->c.elements, bytes_y, cudaMemcpyHostToDevice));
    if (number == 9)
        CUDA_CHECK(cudaMemset(y, 0, bytes_y));
    if (!call(number, given->c.rows, given->c.columns, given->a.columns))
        return 1;
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "the launch of task%d failed: %s%s\n", number, cudaGetErrorString(error),
                error == cudaErrorInvalidConfiguration
                    ? " (a grid of no blocks, or a block of none or more than 1024 threads)"
                    : "");
        return 1;
    }
    CUDA_CHECK(cudaMemcpy(given->c.elements, y, bytes_y, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(y));
    return 0;
}
