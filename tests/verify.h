/* verify.h - holds a step against the reference. */
#ifndef VERIFY_H
#define VERIFY_H
#include "cases.h"
#include "matmult.h"
#include "step.h"

typedef matmult_result (*cuda_step)(const float *, int, const float *, int, float *, int, int);

/* One product, with a poisoned result and guards around it, held against the reference: element by
 * element, and bit for bit where the step declares the length of its partial sums or step.conf
 * gives a hash. Returns NULL, or a sentence (static storage) that says what is wrong first. Counts
 * it (count_product). share_references was called before. */
const char *verify_product(cuda_step step, const step_facts *facts, const product *p);

/* Of a step that keeps nothing of (|A| |B|): NULL where operands of many magnitudes show it. */
const char *verify_spoiled(cuda_step step, const step_facts *facts);

/* All products of a table, and count drawn ones up to that n (cases.h). */
const char *verify_cases(cuda_step step, const step_facts *facts, const case_row *rows, int drawn,
                         int most, int parity);

#endif
