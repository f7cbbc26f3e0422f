/* readers.h - all who have read a word, for the words of which two readers are not enough.
 *
 * Where a block's barriers alone order its threads, two readers are: who writes is ordered with
 * both of them or with neither. Where an mbarrier, a named barrier or a warp's order some threads
 * and not others, it may be the third that the writer has not waited for. */
#ifndef CUDACPU_INSPECT_READERS_H
#define CUDACPU_INSPECT_READERS_H
#include "races.h"
#include <vector>

namespace cudacpu::inspect {

/* The last reads of the lanes of a warp, of the same bytes; clock 0: none. */
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

/* From now on, and in the blocks of this launch that begin later, all readers are kept: something
 * orders some of the block's threads. */
void note_partial_order(observed_worker *w);

/* One reader more than the two that the history has. */
void add_reader(observed_worker *w, word_history *h, const visit &v);
/* The sets are those of the worker's cluster; NULL: the word has none. */
reader_set *find_readers(observed_worker *w, const word_history *h);

/* Calls is_wanted(visit) for each of them, until it is true; false where it never was. */
template <class Wanted> bool find_reader(const reader_set &set, Wanted is_wanted, visit *found) {
    for (const warp_readers &r : set.warps)
        for (unsigned lane = 0; lane < 32; lane++) {
            *found = {r.block, r.clock[lane], (uint16_t)(r.warp * 32 + lane), r.bytes,
                      r.instruction};
            if (r.clock[lane] && is_wanted(*found))
                return true;
        }
    for (const visit &v : set.operations)
        if (is_wanted(*found = v))
            return true;
    return false;
}

} // namespace cudacpu::inspect
#endif
