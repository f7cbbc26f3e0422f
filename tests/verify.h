/* verify.h - holds a step against the reference: many sizes, leading dimensions and kinds of
 * operands. */
#ifndef VERIFY_H
#define VERIFY_H
#include "matmult.h"
#include "step.h"

typedef matmult_result (*cuda_step)(const float *, int, const float *, int, float *, int, int);

/* The largest side of a tile that needs no sizes of its own. */
enum { USUAL_TILE = 16 };

/* CHECK_SIZES=small asks for small sizes alone: 1, 17, 33 and 100, and 257 where a tile is larger
 * than USUAL_TILE, with some kinds of operands; and random ones up to 150 with all kinds. */
int wants_small_sizes(void);

/* Products of all sizes and kinds of operands, with a poisoned result and guards around it; where
 * step.conf gives bits or figures of a product among them, these too. Returns NULL, or a sentence
 * (static storage) that says what is wrong first. share_references was called before. */
const char *verify_step(cuda_step step, const step_facts *facts);

/* The same for uniform operands of every so-many-th n to 300 and those around the edges of tiles;
 * of blocked sums also for some above 1000, and for square roots at n = 2048. */
const char *verify_sizes(cuda_step step, const step_facts *facts, int every);

/* The same for those products whose bits step.conf gives and that verify_step does not try. */
const char *verify_known_bits(cuda_step step, const step_facts *facts);

#endif
