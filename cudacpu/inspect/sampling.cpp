/* sampling.cpp - which blocks of a launch are observed. */
#include "sampling.h"
#include "counts.h"
#include "knowledge.h"
#include "observed_launch.h"
#include "observer.h"
#include "runtime/host/machine.h"
#include <atomic>
#include <cstdlib>
#include <time.h>

namespace cudacpu::inspect {
namespace {

/* A launch that would take longer than LONG seconds is sampled, once PATIENCE seconds have shown
 * it, unless CUDACPU_INSPECT_WHOLE is set: every SAMPLE_STRIDEth block: a prime, so that the sample
 * has blocks of every row and column of the grid. */
const double PATIENCE = 15, LONG = 55;
const unsigned SAMPLE_STRIDE = 61;

std::atomic<uint64_t> blocks_done, blocks_observed;
std::atomic<unsigned> stride; /* every how manyth block is observed */
double work_began;

double work_seconds() { /* of all threads */
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sample_if_long(uint64_t done) {
    /* what a machine with nothing else to do would have taken */
    const double seconds = (work_seconds() - work_began) / processors();
    static const bool whole = getenv("CUDACPU_INSPECT_WHOLE") != nullptr;
    if (!whole && stride == 1 && seconds > PATIENCE &&
        seconds / (double)done * (double)running_launch.blocks() > LONG)
        stride = SAMPLE_STRIDE;
}

class sampling_events : public observer {
    void launch_begins(const kernel &, dim3, dim3) override {
        blocks_done = blocks_observed = 0;
        stride = 1;
        work_began = work_seconds();
    }
    void block_ends() override {
        if (this_worker->knows->active)
            blocks_observed++;
        sample_if_long(++blocks_done);
    }
    void launch_ends() override {
        if (blocks_observed < running_launch.blocks())
            counted().sampled = true;
    }
};

} // namespace

bool is_sampled(uint64_t cluster) { return cluster % stride == 0; }
bool is_first_block() { return blocks_done == 0; }
double sampled_scale() {
    return blocks_observed ? (double)running_launch.blocks() / (double)blocks_observed : 1;
}

observer &sampling() {
    static sampling_events all;
    return all;
}

} // namespace cudacpu::inspect
