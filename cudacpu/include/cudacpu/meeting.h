/* meeting.h - instructions that the threads of a warp or a warpgroup execute together: each brings
 * what it has, the last one does the work, and all go on.
 *
 * meet is inlined into the program: on a fiber each return from a function is mispredicted. */
#ifndef CUDACPU_MEETING_H
#define CUDACPU_MEETING_H
#include "cudacpu/fiber.h"
#include <cstdint>

namespace cudacpu {

struct meeting {
    void (*run)(void **all, unsigned count);
    const site *where;
    const char *what;
    unsigned first, count, come; /* come: threads, while others are still to come */
};

/* What the lanes of a warp bring to a matrix instruction, and take from it (warp_matrix.h). */
struct alignas(64) warp_tile {
    uint32_t a[32][4], b[32][2]; /* the registers of each lane */
    int32_t sums[16 * 8];        /* lane l's are at 2 l, and 64 later */
    const void *rows[32];        /* of ldmatrix */
    uint32_t words[32][4];       /* what it gives to each lane */
};

/* The meetings of a block: of its warps, and of its warpgroups, by their first thread. */
struct meeting_places {
    meeting meetings[2][32];
    void *met[2][1024]; /* what each thread brings along; NULL: it is in no meeting */
    warp_tile tiles[32];
};

/* The running thread has come to another instruction than others of its group, or to one that its
 * block has too few threads for: ends the launch. */
void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(void **, unsigned),
                   const site *where, const char *what);
void finish_meeting(meeting *m, void **all);

} // namespace cudacpu

extern CUDACPU_THREAD cudacpu::meeting_places *cudacpu_meeting_places;

namespace cudacpu {

/* Returns once the count threads from first on (a warp's 32, a warpgroup's 128) have called it with
 * the same run, each with a pointer of its own (not NULL, it may point into its stack): the last
 * one calls run(all, count), where all[i] is the pointer of thread first + i, and all go on. Ends
 * the launch where they call it at different places or a thread of them has ended. what: the
 * instruction's name, for the sentence. first is a multiple of count. */
__attribute__((always_inline)) inline void meet(unsigned first, unsigned count, void *mine,
                                                void (*run)(void **all, unsigned count),
                                                const site *where, const char *what) {
    fiber *f = cudacpu_current;
    if (__builtin_expect(!f, 0))
        wait_outside_kernel(where);
    meeting_places *places = cudacpu_meeting_places;
    meeting *m = &places->meetings[count != 32][first / 32];
    void **all = &places->met[count != 32][first];
    if (__builtin_expect(m->come == 0 || m->where != where || m->run != run, 0))
        check_meeting(m, first, count, run, where, what);
    all[f->thread - first] = mine;
    if (++m->come == count) {
        finish_meeting(m, all);
        return;
    }
    f->where = where;
    go_to_next(f);
}

} // namespace cudacpu
#endif
