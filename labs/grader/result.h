/* result.h - the results of a lab whose cases ask for something else than the product: RESULTS in
 * its tests.py names the source, which is linked to the judge. A is m x k, B is k x n, C is m x n,
 * all without gaps between the rows. */
#ifndef RESULT_H
#define RESULT_H

/* In the lab's source. Computes in C what `variant` asks for (which = 0), or what mistake number
 * `which` gives. Returns the mistake in words (any for 0), or NULL where there is no such mistake;
 * NULL for 0: it is the product. */
const char *lab_result(int which, const char *variant, const double *a, const double *b, double *c,
                       int m, int n, int k) __attribute__((weak));

/* In result.c. The mistake, in words, that gives just what was computed, or NULL. */
const char *lab_mistake(const char *variant, const double *a, const double *b,
                        const double *computed, int m, int n, int k) __attribute__((weak));
#endif
