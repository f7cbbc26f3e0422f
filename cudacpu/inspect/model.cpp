/* model.cpp - the article's card, and an H200 beside it. */
#include "model.h"
#include <algorithm>

namespace cudacpu::inspect {

/* GeForce 8800GT: 57.6 GB/s, of which step 05 reached the share that moves its 4.036 GB in the
 * article's 0.09 s; the rest of the article's 0.125 s for that step is transfer and allocation. No
 * other figure of the article is used. */
const double STEP_05_BYTES = 4.036e9, STEP_05_KERNEL = 0.09, STEP_05_TOTAL = 0.125;
const card ARTICLE = {"GeForce 8800GT", STEP_05_BYTES / STEP_05_KERNEL, 14, 0.25, 1.5e9};
const double TRANSFER = STEP_05_TOTAL - STEP_05_KERNEL;
/* Copy bandwidth as measured; the clock at which its measured 65.1 TFLOP/s are two operations per
 * core (docs/results/bench.csv). */
const card H200 = {"H200", 4.22e12, 132, 4, 1.926e9};

prediction predict(const kernel_counts &k) {
    const traffic_by_kind global = k.global();
    traffic all = global.load;
    all += global.store;
    all += global.atomic;
    uint64_t touched = 0;
    for (auto &matrix : k.touched)
        touched += matrix.second;
    prediction p;
    p.bytes_1_1 = (double)all.bytes_1_1;
    p.memory = p.bytes_1_1 / ARTICLE.bandwidth;
    p.instructions = k.instructions / ARTICLE.instructions();
    p.kernel = std::max(p.memory, p.instructions);
    p.total = p.kernel + TRANSFER;
    const double h200_instructions = k.instructions / H200.instructions();
    p.h200_no_cache = std::max(32.0 * (double)all.sectors / H200.bandwidth, h200_instructions);
    p.h200_perfect_cache = std::max(4.0 * (double)touched / H200.bandwidth, h200_instructions);
    return p;
}

} // namespace cudacpu::inspect
