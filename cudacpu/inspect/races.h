/* races.h - the history of each word: races, and reads of what nobody has written.
 *
 * A clock ticks at each barrier. Two accesses of a word are ordered when a barrier of their block
 * (or of their warp, or any other that knowledge.h follows) lies between; if not, and they are of
 * two threads and one is a write, they race. An asynchronous operation is one more thread: who
 * accesses its words must know that it is done. So a race is found whatever the order in which the
 * threads happen to run, and whenever an operation happens to be done. */
#ifndef CUDACPU_INSPECT_RACES_H
#define CUDACPU_INSPECT_RACES_H
#include "access_log.h"
#include <vector>

namespace cudacpu::inspect {

/* One access that may race: who, by which instruction, when. */
struct visit {
    uint32_t block, clock;
    uint16_t thread, bytes; /* bytes of the word, as a mask; flags */
    uint32_t instruction;
};
/* Flags: by an asynchronous operation, whose number in its block clock is; through a volatile
 * pointer; and that a write after a fence (knowledge.h). */
enum { ASYNCHRONOUS = 256, VOLATILE = 512, AFTER_FENCE = 1024 };
/* The last write, and two reads by different threads since; more of them: reader_set. */
struct word_history {
    visit writer, reader, second;
    uint32_t readers;
};

/* State of a word: the bytes that were written, and what this launch (of shared memory: this block)
 * did to it. READ_BY_BLOCKS: two blocks have read it; of shared memory: two threads.
 * TOUCHED_BEFORE: the launch before did something to it. */
enum {
    WRITTEN_BYTES = 15,
    WRITTEN_NOW = 16,
    READ_NOW = 32,
    READ_BY_BLOCKS = 64,
    TOUCHED_BEFORE = 128
};

/* size bytes, within one word of shared memory or of s->where, accessed by a thread of the worker's
 * block; other memory has no history. */
void check_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                unsigned thread);
/* Before an exchange of s->where's words: has host code written them? */
void note_host_writes(const instruction *s, uintptr_t address, unsigned size);
/* An access by an asynchronous operation of the thread, a word at a time. */
void check_async_word(observed_worker *w, instruction *s, uintptr_t address, unsigned thread,
                      uint32_t operation);

/* All who have read a word, for the words of which two readers are not enough.
 *
 * Where a block's barriers alone order its threads, two readers are: who writes is ordered with
 * both of them or with neither. Where an mbarrier, a named barrier or a warp's order some threads
 * and not others, it may be the third that the writer has not waited for.
 *
 * The last reads of the lanes of a warp, of the same bytes; clock 0: none. */
struct warp_readers {
    uint32_t block, warp, instruction;
    uint16_t bytes;
    uint32_t clock[32];
};

/* Of one word, since it was last written. */
struct reader_set {
    const word_history *word;
    std::vector<warp_readers> warps;
    std::vector<visit> operations; /* asynchronous ones */
};

/* ---- programmatic dependent launches: what a kernel does before griddepcontrol.wait, held against
 * what the kernel before it did (launch_races.cpp) ---- */

/* Does the running kernel overlap the one before it? */
extern bool overlaps_primary;
/* A thread accesses bytes of word i of the area, which the kernel before has touched. */
void check_launch_race(observed_worker *w, const instruction *s, unsigned thread, const area *a,
                       size_t i, uint8_t bytes, uintptr_t address);

} // namespace cudacpu::inspect
#endif
