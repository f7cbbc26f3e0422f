/* model.h - how long a kernel would take on two cards, by its counts. */
#ifndef CUDACPU_INSPECT_MODEL_H
#define CUDACPU_INSPECT_MODEL_H
#include "counts.h"

namespace cudacpu::inspect {

struct card {
    const char *name;
    double bandwidth; /* bytes per second that kernels reach */
    double sms;
    double warp_instructions; /* per cycle and SM */
    double clock;
    double instructions() const { /* per second, of all threads */
        return sms * warp_instructions * 32 * clock;
    }
};
extern const card ARTICLE, H200;

struct prediction {
    double bytes_1_1; /* that the article's card moves */
    /* seconds on the article's card: for the bytes, for the instructions, the larger of both; with
     * transfer and allocation */
    double memory, instructions, kernel, total;
    double h200_no_cache, h200_perfect_cache; /* bounds of a kernel's seconds */
};
prediction predict(const kernel_counts &k);

/* Instructions of all threads, by the executions of each source line and its text. */
double estimate_instructions(const kernel_counts &k);

} // namespace cudacpu::inspect
#endif
