/* barrier.cpp - __syncthreads() and its kin: opens a barrier, or says why it cannot open. */
#include "cudacpu/barrier.h"
#include "block.h"
#include "faults.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include <cstdlib>
#include <cstring>
#include <string>

namespace cudacpu {
static bool same_line(const site *s, const site *t) {
    return s->line == t->line && (s->file == t->file || strcmp(s->file, t->file) == 0);
}

bool same_place(const site *s, const site *t) {
    return s == t || (s->number == t->number && same_line(s, t));
}

bool comes_first(const site *s, const site *t) {
    const int files = s->file == t->file ? 0 : strcmp(s->file, t->file);
    return files ? files < 0 : s->line != t->line ? s->line < t->line : s->number < t->number;
}

static std::string describe_barriers(const worker *w, unsigned count) {
    std::string message = "its threads wait at different barriers:";
    for (unsigned i = 0; i < count; i++) {
        fiber *f = w->waiting[i];
        unsigned before = 0, alike = 0;
        for (unsigned j = 0; j < count; j++) {
            before += j < i && same_place(w->waiting[j]->where, f->where);
            alike += same_place(w->waiting[j]->where, f->where);
        }
        if (!before)
            message +=
                text(i ? "; thread " : " thread ", f->index,
                     alike > 1 ? text(" and ", alike - 1, " more") : "", " at ", *f->where,
                     i && same_line(w->waiting[0]->where, f->where) ? " (another one there)" : "",
                     w->calls[f->thread].waits ? " (its warp)" : "");
    }
    if (w->ended)
        message += text("; ", w->ended, " ended");
    return message;
}

/* CUDACPU_BARRIER=counted: a barrier opens when all have arrived at one, as since Volta, though the
 * guide forbids that they are different ones. */
static bool counts_arrivals() {
    static const bool chosen = read_word_setting("CUDACPU_BARRIER", {"same", "counted"});
    return chosen;
}

void fail_barrier(worker *w, unsigned count) {
    fail_launch(cudaErrorLaunchFailure, describe_barriers(w, count), "divergent barrier",
                w->waiting[0]->where->file, w->waiting[0]->where->line);
    w->aborted = true;
}

bool open_barrier(worker *w, unsigned count) {
    fiber *first = w->waiting[0];
    const bool alike = cudacpu_waiting_at.any == cudacpu_waiting_at.all;
    cudacpu_waiting_at = {0, ~(uintptr_t)0};
    for (unsigned i = 1; !alike && i < count; i++)
        if (!same_place(first->where, w->waiting[i]->where)) {
            if (!counts_arrivals()) {
                fail_barrier(w, count);
                return false;
            }
            if (!w->launch->warned) {
                const std::string message = describe_barriers(w, count);
                warn_of_fault(w, "divergent barrier", *first->where, message,
                              message + "; arrivals are counted, and all go on");
            }
            break;
        }
    if (w->ended && !w->launch->warned)
        warn_of_fault(w, "divergent barrier", *first->where,
                      "the barrier opened after threads of the block had ended without reaching it",
                      text("the barrier at ", *first->where, " opened after thread ",
                           index_of(w, w->early), " had ended without reaching it"));
    for (int i = 0; i < 2; i++) {
        w->result[i] = w->accumulated[i];
        w->accumulated[i] = 0;
    }
    tell_end(&observer::barrier_opens, &w->order);
    if (w->order)
        order_waiting(w, w->order);
    return true;
}

void wait_outside_kernel(const site *where) {
    say("a barrier or another instruction of kernels, outside a kernel at ", *where);
    exit(1);
}

void barrier(const site *where) { wait_at(where); }

int barrier_reduce(reduction operation, int predicate, const char *file, int line) {
    site where = {file, line};
    worker *w = self;
    if (w) {
        w->accumulated[0] += predicate != 0;
        w->accumulated[1]++;
    }
    wait_at(&where);
    return operation == REDUCE_COUNT ? w->result[0]
           : operation == REDUCE_AND ? w->result[0] == w->result[1]
                                     : w->result[0] != 0;
}

} // namespace cudacpu
