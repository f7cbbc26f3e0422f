/* tokens.c - see tokens.h */
#include "tokens.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choose_key(disguise_header *d) {
    while (read_token(0, d->key, d->element) <= d->capacity ||
           read_token(UINT64_MAX, d->key, d->element) <= d->capacity)
        d->key = d->key * 0x9E3779B97F4A7C15u + 1;
}

void reveal_result(char *file, const char *fresh, const case_matrix *c, const disguise_header *d,
                   const char *path) {
    disguise_header h;
    const size_t element = d->element;
    FILE *in = fopen(path, "rb");
    char *values = NULL, *seen = NULL;
    if (!in || fread(&h, sizeof h, 1, in) != 1 || h.used > d->capacity ||
        !(values = malloc(h.used * element)) || !(seen = calloc(h.used, 1)) ||
        fread(values, element, h.used, in) != h.used) {
        fprintf(stderr, "judge: the values cannot be read\n");
        exit(2);
    }
    fclose(in);
    /* In memory that host code and kernels share a kernel may have left what was there. */
    const uint64_t blank = UINT64_MAX >> (64 - 8 * element);
    size_t foreign = 0;
    int first_i = 0, first_j = 0;
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++) {
            const size_t at = c->offset + ((size_t)i * (size_t)c->stride + (size_t)j) * element;
            uint64_t token = 0;
            memcpy(&token, file + at, element);
            const uint64_t number = read_token(token, d->key, d->element);
            if (number >= d->count && number < h.used && !seen[number]++)
                memcpy(file + at, values + number * element, element);
            else if (token != 0 && token != blank && memcmp(file + at, fresh + at, element) != 0 &&
                     !foreign++)
                first_i = i, first_j = j;
        }
    if (foreign)
        printf("foreign %zu %zu %d %d\n", foreign, (size_t)c->rows * (size_t)c->columns, first_i,
               first_j);
    free(values);
    free(seen);
}
