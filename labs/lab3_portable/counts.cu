/* counts.cu - calls multiply() of student.cu once, to be watched by inspect: counts M P N TILE */
#include <stdio.h>
#include <stdlib.h>

extern "C" void multiply(const int *a, const int *b, int *c, int m, int p, int n, int tile);

int main(int argc, char **argv) {
    int number[4];
    for (int i = 0; i < 4; i++) {
        number[i] = argc == 5 ? atoi(argv[i + 1]) : 0;
        if (number[i] < 1 || number[i] > 1000) {
            fprintf(stderr, "counts: it takes M P N TILE, each from 1 to 1000\n");
            return 2;
        }
    }
    int m = number[0], p = number[1], n = number[2];
    int *a = (int *)calloc((size_t)m * p, sizeof(int)),
        *b = (int *)calloc((size_t)p * n, sizeof(int));
    int *c = (int *)calloc((size_t)m * n, sizeof(int));
    if (a == NULL || b == NULL || c == NULL) {
        fprintf(stderr, "counts: no memory\n");
        return 1;
    }
    multiply(a, b, c, m, p, n, number[3]);
    free(a);
    free(b);
    free(c);
    return 0;
}
