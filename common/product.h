/* product.h - a random product: its matrices, and whether there is memory for them. */
#ifndef PRODUCT_H
#define PRODUCT_H
#include "device.h"
#include "options.h"
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct product {
    int n;
    uint64_t seed;
    float *a, *b, *c;       /* n x n, no gaps */
    int repeats;            /* c is computed so many times */
    double *total, *kernel; /* seconds of each time */
    const char *note;       /* of the last time, or NULL */
} product;

/* Ends the program with a sentence where three matrices, and on a device (or NULL) their copies,
 * need more memory than is free. */
void require_memory(int n, const device_info *device);

/* A and B with random elements, and room for C and the times. Ends the program with a sentence
 * without memory. */
product make_product(const options *o);
void free_product(product *p);

/* Fills C with NaN, so that an element that is not written shows. */
void poison_result(product *p);

/* Memory for count elements, or the end of the program with a sentence. */
void *allocate(size_t count, size_t size);

#ifdef __cplusplus
}
#endif
#endif
