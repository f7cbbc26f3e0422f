/* observed_launch.cpp - the launch and the blocks that run, and how its threads and blocks are
 * called. */
#include "observed_launch.h"
#include "faults.h"
#include "observed_worker.h"
#include "observer.h"
#include "runtime/host/devices.h"
#include "runtime/memory/protection.h"
#include "runtime/scheduler/block.h"
#include <cstring>
#include <unistd.h>

namespace cudacpu::inspect {

observed_launch running_launch;
std::atomic<bool> is_time_over;

namespace {

class launch_events : public observer {
    void launch_begins(const kernel &k, dim3 grid, dim3 block) override {
        running_launch = {&k, grid, block, current_device(), running_launch.number + 1};
    }
    void block_begins(const block_start &b, const unsigned short **) override {
        if (is_time_over)
            self->launch->failed = true; /* no more blocks after this one */
        if (!this_worker)
            make_this_worker();
        observed_worker *w = this_worker;
        w->block = b.number;
        w->blocks++;
        w->threads = b.threads;
        w->warp = 0;
        w->phase = 0;
        w->stored.address = 0;
        w->is_volatile = w->is_exchange = w->has_failed =
            false; /* a block may have ended amid an access */
        w->range = 0;
        w->last_stored = 0;
        w->dynamic = b.dynamic;
        w->dynamic_bytes = b.dynamic_bytes;
        w->shared_area =
            (uintptr_t)b.dynamic + (b.dynamic_bytes + 15) / 16 * 16 - (256 + 64) * 1024;
        w->shared_area_bytes = (256 + 2 * 64) * 1024;
        w->stacks = b.stacks;
        w->stacks_bytes = b.stacks_bytes;
        w->block_clock = ++w->clock;
        memset(w->warp_clock, 0, sizeof w->warp_clock);
        w->random = b.number * 7919 + 1;
    }
    void launch_ends() override {
        damage found;
        while (find_damage(&found))
            restore_pattern(found);
        running_launch.kernel = nullptr;
        if (is_time_over) {
            tell(&observer::process_ends);
            _exit(recorded_faults().empty() ? 0 : 1);
        }
    }
    void worker_ends() override { end_this_worker(); }
};

std::string triple(unsigned x, unsigned y, unsigned z) {
    std::string text = "(" + std::to_string(x) + "," + std::to_string(y);
    return text + (z ? "," + std::to_string(z) : "") + ")";
}
} // namespace

const char *kernel_name() { return running_launch.kernel ? running_launch.kernel->name : ""; }

std::string block_name(uint64_t number) {
    const dim3 grid = running_launch.grid;
    return triple((unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                  (unsigned)(number / grid.x / grid.y));
}

std::string thread_name(unsigned number) {
    const dim3 block = running_launch.block;
    return triple(number % block.x, number / block.x % block.y, number / block.x / block.y);
}

observer &launches() {
    static launch_events all;
    return all;
}

} // namespace cudacpu::inspect
