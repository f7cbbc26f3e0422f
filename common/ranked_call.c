/* ranked_call.c - what the ranks make of a call together: its times. */
#include "ranked_call.h"
#include "timing.h"

typedef struct performance {
    const ranked_call *call;
    shard_result (*multiply)(const rank *r, const ranked_call *c);
    matmult_result result;
} performance;

static void perform(const rank *r, void *argument) {
    performance *p = argument;
    wait_for_ranks(r);
    const double start = wall_seconds();
    const shard_result own = p->multiply(r, p->call);
    const double total = largest_of_ranks(r, wall_seconds() - start),
                 kernel = largest_of_ranks(r, own.kernel);
    if (is_first_here(r))
        p->result = (matmult_result){total, kernel, own.note};
}

matmult_result perform_call(const ranked_call *c,
                            shard_result (*multiply)(const rank *r, const ranked_call *c)) {
    performance p = {c, multiply, {0, 0, NULL}};
    run_ranks(perform, &p);
    return p.result;
}
