/* lockstep.cpp - CUDACPU_WARP=lockstep: the lanes of a warp execute stores through volatile
 * pointers together, as on cards before Volta. */
#include "cudacpu/lockstep.h"
#include "runtime/host/environment.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/faults.h"
#include "runtime/scheduler/worker.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace cudacpu {
namespace {

bool is_lockstep() {
    static const bool chosen = [] {
        const char *text = getenv("CUDACPU_WARP");
        if (!text || !*text || !strcmp(text, "independent"))
            return false;
        if (strcmp(text, "lockstep"))
            refuse_setting("CUDACPU_WARP", text, "independent or lockstep");
        return true;
    }();
    return chosen;
}

std::string describe_step(void *) { return "the other lanes of its warp"; }

/* Two lanes or more; of a kernel the first place, observed each place once. */
bool is_worth_a_word(const worker *w, const site *where) {
    static std::mutex one;
    static std::set<std::pair<std::string, int>> said;
    std::lock_guard<std::mutex> guard(one);
    return w->threads > 1 &&
           said.insert({w->launch->what->name, observing ? where->line : 0}).second;
}

} // namespace

void keep_step(const site *where, bool unsynchronised) {
    worker *w = self;
    if (!cudacpu_current)
        return;
    if (is_lockstep()) {
        let_others_run(nullptr, where, describe_step);
        return;
    }
    if (!unsynchronised || !is_worth_a_word(w, where))
        return;
    const char *const text = "same warp: __syncwarp() is missing before this store; right on cards "
                             "before Volta, which CUDACPU_WARP=lockstep imitates, by luck since";
    if (observing)
        observing->fault("missing __syncwarp", where->file, where->line, text);
    else
        fprintf(stderr, "cudacpu: warning: kernel %s: %s:%d: %s\n", w->launch->what->name,
                where->file, where->line, text);
}

} // namespace cudacpu
