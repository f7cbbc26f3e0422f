/* product.c - a random product: its matrices, and whether there is memory for them. */
#include "product.h"
#include "host_memory.h"
#include "matgen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void *allocate(size_t count, size_t size) {
    void *p = malloc(count * size);
    if (!p)
        end_program(1, "no memory for %zu elements of %zu bytes", count, size);
    return p;
}

/* Sizes are doubles, because n * n may pass 2^64. A number of free bytes of 0 means that it cannot
 * be told. */
static void require(int n, double needed, double free_bytes, const char *kind) {
    const double mib = 1024.0 * 1024.0;
    if (free_bytes > 0 && needed > free_bytes)
        end_program(1, "n = %d needs %.0f MiB of %s, and %.0f MiB are free", n, ceil(needed / mib),
                    kind, floor(free_bytes / mib));
}

void require_memory(int n, const device_info *device) {
    double host = 3.0 * n * (double)n * sizeof(float);
    if (device) {
        /* Steps round rows up to a pitch of 512 bytes and their number up to a tile of 16. */
        const double padded = 3 * ceil(n * sizeof(float) / 512.0) * 512.0 * ceil(n / 16.0) * 16.0;
        if (strcmp(backend_name, "cpu") == 0) /* its memory is the host's */
            host += padded;
        else
            require(n, padded, (double)device->free_bytes, "device memory");
    }
    require(n, host, (double)host_free_bytes(), "memory");
}

product make_product(const options *o) {
    const size_t elements = (size_t)o->n * (size_t)o->n, repeats = (size_t)o->repeats;
    product p = {.n = o->n, .seed = o->seed, .repeats = o->repeats};
    p.a = allocate(elements, sizeof *p.a);
    p.b = allocate(elements, sizeof *p.b);
    p.c = allocate(elements, sizeof *p.c);
    p.total = allocate(repeats, sizeof *p.total);
    p.kernel = allocate(repeats, sizeof *p.kernel);
    matgen(p.a, p.n, p.n, p.n, 2 * p.seed);
    matgen(p.b, p.n, p.n, p.n, 2 * p.seed + 1);
    return p;
}

void free_product(product *p) {
    free(p->kernel);
    free(p->total);
    free(p->c);
    free(p->b);
    free(p->a);
}

void poison_result(product *p) {
    for (size_t i = 0; i < (size_t)p->n * (size_t)p->n; i++)
        p->c[i] = NAN;
}
