/* reference_rows.c - the rows that products are compared with: computed once, for all tests. Each
 * test is a process, so they lie in memory that all share. A step must not spoil them: they can be
 * written here alone. */
#define _GNU_SOURCE
#include "reference_rows.h"
#include "reference.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_REFERENCES = 2000 };
static const size_t SHARED_BYTES = (size_t)1 << 30;

typedef struct reference {
    operand_kind kind;
    int n;
    unsigned long seed;
    size_t sums, magnitudes; /* indices of their first elements */
} reference;

static struct shared_references {
    atomic_int count;
    size_t used; /* elements */
    reference references[MAX_REFERENCES];
    double elements[];
} * shared;
static int lock_file = -1; /* one process at a time adds a reference; the lock ends with it */

static void stop_if(int failed, const char *what) {
    if (!failed)
        return;
    fprintf(stderr, "reference_rows: %s\n", what);
    exit(1);
}

void share_references(void) {
    shared = mmap(NULL, SHARED_BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stop_if(shared == MAP_FAILED, "no memory that tests could share");
    FILE *file = tmpfile();
    stop_if(!file, "no temporary file");
    lock_file = fileno(file);
}

/* Room for so many elements; the index of the first. */
static size_t take_elements(size_t count) {
    const size_t first = shared->used;
    stop_if(sizeof *shared + (first + count) * sizeof *shared->elements > SHARED_BYTES,
            "SHARED_BYTES is too small");
    shared->used += count;
    return first;
}

/* In ascending k, as the reference sums. Where no element is negative the magnitudes are the sums.
 */
static void add_reference(reference *r, const float *a, int lda, const float *b, int ldb, int first,
                          int every) {
    const size_t n = (size_t)r->n, rows = (size_t)((r->n - 1 - first) / every + 1);
    r->sums = take_elements(rows * n);
    r->magnitudes = r->kind == UNIFORM ? r->sums : take_elements(rows * n);
    for (size_t row = 0; row < rows; row++) {
        const float *a_row = a + ((size_t)first + row * (size_t)every) * (size_t)lda;
        sum_row_double(a_row, b, ldb, shared->elements + r->sums + row * n, r->n);
        if (r->kind != UNIFORM)
            sum_row_magnitude(a_row, b, ldb, shared->elements + r->magnitudes + row * n, r->n);
    }
}

static void lock(short type) { /* F_WRLCK, or F_UNLCK */
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    stop_if(fcntl(lock_file, F_SETLKW, &whole) != 0, "no lock");
}

/* The index of the reference; -1: there is none. */
static int find_reference(operand_kind kind, int n, unsigned long seed) {
    int i = atomic_load(&shared->count) - 1;
    while (i >= 0 && (shared->references[i].kind != kind || shared->references[i].n != n ||
                      shared->references[i].seed != seed))
        i--;
    return i;
}

reference_rows get_reference_rows(operand_kind kind, int n, unsigned long seed, const float *a,
                                  int lda, const float *b, int ldb) {
    const int every = n > 1000 ? 7 : 1, first = (n - 1) % every;
    int i = find_reference(kind, n, seed);
    if (i < 0) {
        lock(F_WRLCK);
        i = find_reference(kind, n, seed); /* another process may have added it */
    }
    if (i < 0) {
        i = atomic_load(&shared->count);
        stop_if(i == MAX_REFERENCES, "MAX_REFERENCES is too small");
        mprotect(shared, SHARED_BYTES, PROT_READ | PROT_WRITE);
        shared->references[i] = (reference){kind, n, seed, 0, 0};
        add_reference(&shared->references[i], a, lda, b, ldb, first, every);
        atomic_fetch_add(&shared->count, 1); /* last: a test that ends before leaves none */
        mprotect(shared, SHARED_BYTES, PROT_READ);
    }
    lock(F_UNLCK);
    return (reference_rows){every, first, shared->elements + shared->references[i].sums,
                            shared->elements + shared->references[i].magnitudes};
}
