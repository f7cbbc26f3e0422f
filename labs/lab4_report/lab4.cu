/* lab4.cu - the lab's program around the functions of student.cu.
 *
 *     lab4 m n k
 *
 * Random A (m x n) and B (n x k): prints corners of A, B and C, the times, and whether all agree.
 *
 *     lab4 --measure MAX
 *
 * What the report needs, as CSV: block sizes at MAX, sizes from 128 to MAX with blocks of 16. */
#include "cuda_check.h"
#include "lab4.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 16, LARGEST = 2048, RUNS = 5 };
static const double PATIENCE = 1; /* seconds: a product that took longer is not measured again */

typedef float multiply(const double *a, const double *b, double *c, int m, int n, int k, int block);

static double milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* The student's serial product in the form of the others. */
static float serial(const double *a, const double *b, double *c, int m, int n, int k, int) {
    double start = milliseconds_now();
    multiply_serial(a, b, c, m, n, k);
    return (float)(milliseconds_now() - start);
}

static const struct {
    const char *name;
    multiply *call;
} kernels[] = {{"serial", serial},
               {"global", multiply_global},
               {"tiled", multiply_tiled},
               {"rows", multiply_rows}};

static double *new_matrix(int rows, int columns, double value) {
    double *matrix = (double *)malloc(sizeof(double) * rows * columns);
    if (matrix == NULL) {
        fprintf(stderr, "no memory for a %d x %d matrix\n", rows, columns);
        exit(1);
    }
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        matrix[i] = value;
    return matrix;
}

/* Uniform in [-1, 1). */
static double *new_random(int rows, int columns) {
    double *matrix = new_matrix(rows, columns, 0);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        matrix[i] = 2.0 * rand() / (RAND_MAX + 1.0) - 1;
    return matrix;
}

static void print_corner(const char *name, const double *matrix, int rows, int columns) {
    printf("%s (%d x %d), its first 4 x 4 elements:\n", name, rows, columns);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            printf(" %10.5f", matrix[(size_t)i * columns + j]);
        printf("\n");
    }
}

/* 1 when some elements of C are right: within 2 n eps (|A| |B|), which any order of the sum keeps.
 * All of them would take as long as the product. */
static int looks_right(const double *a, const double *b, const double *c, int m, int n, int k) {
    for (int i = 0; i < 1000; i++) {
        int row = i == 0 ? m - 1 : rand() % m, column = i == 0 ? k - 1 : rand() % k;
        double sum = 0, magnitude = 0;
        for (int j = 0; j < n; j++) {
            double term = a[(size_t)row * n + j] * b[(size_t)j * k + column];
            sum += term;
            magnitude += fabs(term);
        }
        double error = fabs(c[(size_t)row * k + column] - sum);
        if (!(error <= 2 * n * DBL_EPSILON * magnitude)) /* a NaN is not right */
            return 0;
    }
    return 1;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* One line of CSV: the median of up to RUNS runs of a size x size product. */
static void measure(int which, int size, int block) {
    double *a = new_random(size, size), *b = new_random(size, size),
           *c = new_matrix(size, size, NAN);
    float times[RUNS];
    int runs = 0;
    double start = milliseconds_now();
    if (size <= 512) /* the first call is slower: it is not counted */
        kernels[which].call(a, b, c, size, size, size, block);
    do
        times[runs++] = kernels[which].call(a, b, c, size, size, size, block);
    while (runs < RUNS && milliseconds_now() - start < 1e3 * PATIENCE);
    qsort(times, (size_t)runs, sizeof *times, ascending);
    printf("%s,%d,%d,%.4f,%d,%s\n", kernels[which].name, which == 0 ? 1 : block, size,
           times[runs / 2], runs, looks_right(a, b, c, size, size, size) ? "right" : "wrong");
    fflush(stdout);
    free(a);
    free(b);
    free(c);
}

static int measure_all(const char *largest) {
    char *end;
    long max = strtol(largest, &end, 10);
    if (*end != '\0' || max < 128 || max > LARGEST || (max & (max - 1)) != 0) {
        fprintf(stderr, "MAX=%s: it is 128, 256, 512, 1024 or 2048\n", largest);
        return 2;
    }
    struct cudaDeviceProp device;
    int version;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    CUDA_CHECK(cudaRuntimeGetVersion(&version));
    printf("# device: %s\n", device.name);
#ifndef __CUDACPU__
    int driver;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    printf("# CUDA %d.%d, its driver's CUDA %d.%d\n", version / 1000, version % 1000 / 10,
           driver / 1000, driver % 1000 / 10);
#endif
    printf("kernel,block,size,ms,runs,result\n");
    for (int block = 8; block <= 32; block *= 2)
        for (int which = 1; which < 4; which++)
            if (block != BLOCK) /* that is in the sizes */
                measure(which, (int)max, block);
    for (int size = 128; size <= max; size *= 2)
        for (int which = 0; which < 4; which++)
            measure(which, size, BLOCK);
    return 0;
}

/* The grader's: what was printed is this program's. */
extern "C" __attribute__((weak)) void lab_program_ran(void);

extern "C" int lab4(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--measure") == 0)
        return measure_all(argv[2]);
    enum { AROUND = 4, UNTOUCHED = 0x5a5a5a5a };
    int room[AROUND + 3 + AROUND], *sizes = room + AROUND;
    for (int i = 0; i < 2 * AROUND + 3; i++)
        room[i] = i < AROUND || i >= AROUND + 3 ? UNTOUCHED : 0;
    int status = read_sizes(argc, argv, sizes);
    for (int i = 0; i < AROUND; i++)
        if (room[i] != UNTOUCHED || sizes[3 + i] != UNTOUCHED) {
            fprintf(stderr, "read_sizes wrote outside of the three sizes\n");
            return 1;
        }
    if (status != 0)
        return status;
    int m = sizes[0], n = sizes[1], k = sizes[2];
    for (int i = 0; i < 3; i++)
        if (sizes[i] < 1 || sizes[i] > LARGEST) {
            fprintf(stderr, "read_sizes returned 0 and left %c = %d\n", "mnk"[i], sizes[i]);
            return 1;
        }
    char least[] = "128", largest[] = "2048", *limits[] = {argv[0], least, largest, least, NULL};
    int of_limits[AROUND + 3]; /* whoever writes a fourth one has been told above */
    if (read_sizes(4, limits, of_limits) != 0) {
        fprintf(stderr, "read_sizes refuses %s or %s, and both are in the range\n", least, largest);
        return 1;
    }
    srand((unsigned)time(NULL));
    double *a = new_random(m, n), *b = new_random(n, k), *c = new_matrix(m, k, NAN);
    print_corner("A", a, m, n);
    print_corner("B", b, n, k);
    multiply_tiled(a, b, c, m, n, k, BLOCK);
    print_corner("C", c, m, k);
    for (int which = 0; which < 4; which++) {
        for (size_t i = 0; i < (size_t)m * k; i++)
            c[i] = NAN;
        float milliseconds = kernels[which].call(a, b, c, m, n, k, BLOCK);
        printf("%-6s %12.4f ms  %s\n", kernels[which].name, milliseconds,
               looks_right(a, b, c, m, n, k) ? "right" : "WRONG");
    }
    if (lab_program_ran)
        lab_program_ran();
    free(a);
    free(b);
    free(c);
    return 0;
}
