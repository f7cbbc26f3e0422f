/* matrices.c - operands and a result in the host's memory, filled by several threads. */
#define _POSIX_C_SOURCE 200809L
#include "matrices.h"
#include "cuda_check.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

void *get_memory(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

static float *allocate_matrix(size_t bytes, int pinned) {
    void *memory;
    if (!pinned)
        return get_memory(bytes);
    CUDA_CHECK(cudaMallocHost(&memory, bytes));
    return memory;
}

matrices make_matrices(int n, int pinned) {
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    return (matrices){allocate_matrix(bytes, pinned), allocate_matrix(bytes, pinned),
                      allocate_matrix(bytes, pinned), n, pinned};
}

void free_matrices(matrices *m) {
    float *const all[] = {m->a, m->b, m->c};
    for (int i = 0; i < 3; i++)
        if (m->pinned)
            CUDA_CHECK(cudaFreeHost(all[i]));
        else
            free(all[i]);
    *m = (matrices){NULL, NULL, NULL, 0, 0};
}

typedef struct part { /* rows for a thread */
    const matrices *m;
    int first, end;
    operand_kind kind;
    unsigned long seed;
} part;

static void *fill_part(void *argument) {
    const part *p = argument;
    const int n = p->m->n;
    fill_operand_rows(p->m->a, n, n, p->kind, p->seed, 0, p->first, p->end);
    fill_operand_rows(p->m->b, n, n, p->kind, p->seed, 1, p->first, p->end);
    return NULL;
}

static void *poison_part(void *argument) {
    const part *p = argument;
    const size_t n = (size_t)p->m->n;
    memset(p->m->c + (size_t)p->first * n, 0xff, (size_t)(p->end - p->first) * n * sizeof(float));
    return NULL;
}

static void do_in_parts(void *(*work)(void *), const matrices *m, operand_kind kind,
                        unsigned long seed) {
    pthread_t threads[MOST_THREADS];
    part parts[MOST_THREADS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int count = processors < MOST_THREADS ? (int)processors : MOST_THREADS;
    for (int i = 0; i < count; i++) {
        const int first = (int)((long)m->n * i / count), end = (int)((long)m->n * (i + 1) / count);
        parts[i] = (part){m, first, end, kind, seed};
        if (pthread_create(&threads[i], NULL, work, &parts[i]) != 0) {
            fprintf(stderr, "bench: no thread\n");
            exit(1);
        }
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

void fill_matrices(const matrices *m, operand_kind kind, unsigned long seed) {
    do_in_parts(fill_part, m, kind, seed);
}

void poison_product(const matrices *m) { do_in_parts(poison_part, m, UNIFORM, 0); }
