/* races.h - the history of each word: races, and reads of what nobody has written.
 *
 * A clock ticks at each barrier. Two accesses of a word are ordered when a barrier of their block
 * (or of their warp) lies between; if not, and they are of two threads and one is a write, they
 * race. So a race is found whatever the order in which the threads happen to run. */
#ifndef CUDACPU_INSPECT_RACES_H
#define CUDACPU_INSPECT_RACES_H
#include "access_log.h"

namespace cudacpu::inspect {

/* One access that may race: who, by which instruction, when. */
struct visit {
    uint32_t block, clock;
    uint16_t thread, bytes; /* bytes of the word, as a mask */
    uint32_t instruction;
};
/* The last write, and two reads by different threads since. */
struct word_history {
    visit writer, reader, second;
};

/* State of a word: the bytes that were written, and what this launch (of shared memory: this block)
 * did to it. READ_BY_BLOCKS: two blocks have read it; of shared memory: two threads. */
enum { WRITTEN_BYTES = 15, WRITTEN_NOW = 16, READ_NOW = 32, READ_BY_BLOCKS = 64 };

/* size bytes, within one word of shared memory or of s->where, accessed by a thread of the worker's
 * block. */
void check_shared_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                       unsigned thread);
void check_global_word(observed_worker *w, instruction *s, uintptr_t address, unsigned size,
                       unsigned thread);

} // namespace cudacpu::inspect
#endif
