/* meeting.h - instructions that the threads of a warp or a warpgroup execute together: each brings
 * what it has, the last one does the work, and all go on.
 *
 * meet_warp is inlined into the program: on a fiber each return from a function is mispredicted. */
#ifndef CUDACPU_MEETING_H
#define CUDACPU_MEETING_H
#include "cudacpu/fiber.h"
#include <cstdint>

namespace cudacpu {

struct warp_tile;

/* The threads that have come to an instruction, while others are still to come. */
struct meeting {
    uint32_t come[4]; /* a bit for each thread; of a warp only the first word counts */
    const site *where;
    void (*run)(warp_tile *); /* what the last one does, or NULL */
    const char *what;
    unsigned first, count; /* threads */
};

/* What the lanes of a warp bring to a matrix instruction, and take from it (warp_matrix.h). */
struct alignas(64) warp_tile {
    meeting together;
    uint32_t a[16][8], b[8][8]; /* the factors as matrix_product.h wants them */
    int32_t sums[16 * 8];       /* lane l's are at 2 l, and 64 later */
    const void *rows[32];       /* of ldmatrix */
    uint32_t words[4][32];      /* what it gives to each lane */
    alignas(64) double a_f64[16][16], b_f64[16][8], sums_f64[16][8]; /* of mma.sync of f64 */
};

/* What the program's own code needs of the block that it runs in. */
struct block_places {
    warp_tile tiles[32];
    char *dynamic; /* its dynamic shared memory: the shared address of its first byte, and bytes */
    uint32_t dynamic_address, dynamic_bytes;
};

/* The running thread is the first of its group to come, or has come to another instruction than
 * others, or to one that its block has too few threads for: the last two end the launch. */
void check_meeting(meeting *m, unsigned first, unsigned count, void (*run)(warp_tile *),
                   const site *where, const char *what);
/* All have come: the work. Returns the thread that goes on now. */
fiber *finish_meeting(meeting *m);

} // namespace cudacpu

extern CUDACPU_THREAD cudacpu::block_places *cudacpu_block_places;

namespace cudacpu {

/* Returns once all lanes of the running thread's warp have called it with the same run: the last
 * one calls run(tile). Ends the launch where they call it at different places or
 * one of them has ended. f: the running thread; what: the instruction's name, for the sentence. */
__attribute__((always_inline)) inline void meet_warp(fiber *f, void (*run)(warp_tile *),
                                                     const site *where, const char *what) {
    meeting *m = &f->lane.tile->together;
    if (__builtin_expect(m->come[0] == 0 || m->where != where || m->run != run, 0))
        check_meeting(m, f->thread - f->lane.lane, 32, run, where, what);
    m->come[0] |= f->lane.bit;
    f->where = where;
    go_to(f, m->come[0] == ~0u ? finish_meeting(m) : f->next);
}

/* The same for the running thread's warpgroup, which has nothing to do. */
void meet_warpgroup(const site *where, const char *what);

} // namespace cudacpu
#endif
