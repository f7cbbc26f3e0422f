/* suite.h - what every suite shares: its parts, in order, and what is printed of each. */
#ifndef SUITE_H
#define SUITE_H
#include <check.h>

/* Whether the suite and the steps are built with a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* Each suite has one: adds its parts. suite.c has main(). */
void add_parts(Suite *suite);

/* Adds a part under a name that CK_RUN_CASE takes; seconds: the most that one of its tests may
 * run. */
TCase *add_part(Suite *suite, const char *name, double seconds);

/* Whether CK_RUN_CASE asks for this part: it does when it is not set. */
int is_asked_for(const char *part);

/* Prints "SKIP name: reason"; counted, and never as passed. A test that cannot run here is skipped
 * before it is added. */
void skip(const char *name, const char *reason);

/* Called by a test for each product that it has compared: the largest error, the tolerance that
 * goes with it, and whether the operands were uniform. The part's line has the largest of each. */
void count_product(int is_uniform, double error, double tolerance);

/* From here on this process counts none: its products are meant to be wrong. */
void count_no_products(void);

/* The number that CHECK_SEED gives, else 0: other places and sizes. */
unsigned long check_seed(void);

#endif
