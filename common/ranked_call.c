/* ranked_call.c - what the ranks make of a call together: its times and its note. */
#include "ranked_call.h"
#include "timing.h"
#include <stdio.h>

typedef struct performance {
    const ranked_call *call;
    share_result (*multiply)(const rank *r, const ranked_call *c);
    matmult_result result;
    double count[2];
} performance;

static void perform(const rank *r, void *argument) {
    performance *p = argument;
    wait_for_ranks(r);
    const double start = wall_seconds();
    const share_result own = p->multiply(r, p->call);
    const double total = largest_of_ranks(r, wall_seconds() - start),
                 kernel = largest_of_ranks(r, own.kernel),
                 first = sum_of_ranks(r, (double)own.count[0]),
                 second = sum_of_ranks(r, (double)own.count[1]);
    if (is_first_here(r)) {
        p->result = (matmult_result){total, kernel, NULL};
        p->count[0] = first;
        p->count[1] = second;
    }
}

matmult_result perform_call(const ranked_call *c,
                            share_result (*multiply)(const rank *r, const ranked_call *c),
                            const char *note, const char *second_note) {
    static char text[200];
    performance p = {c, multiply, {0, 0, NULL}, {0, 0}};
    run_ranks(perform, &p);
    if (p.count[0] > 0 && p.count[1] > 0)
        snprintf(text, sizeof text, "%.0f %s; %.0f %s", p.count[0], note, p.count[1], second_note);
    else
        snprintf(text, sizeof text, "%.0f %s", p.count[0] + p.count[1],
                 p.count[0] > 0 ? note : second_note);
    if (p.count[0] + p.count[1] > 0)
        p.result.note = text;
    return p.result;
}
