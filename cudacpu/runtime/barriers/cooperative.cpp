/* cooperative.cpp - grid.sync(), the barrier of a cooperative launch, is its only cluster's. */
#include "cudacpu/groups.h"
#include "cudacpu/ptx.h"
#include "runtime/scheduler/block.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/scheduler/faults.h"

namespace cudacpu {

bool is_cooperative() { return self && self->launch && self->launch->what->cooperative; }

void sync_grid(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    if (!is_cooperative())
        fail_thread("wrong barrier", where,
                    "grid.sync() in a kernel that <<<>>> launched: cudaLaunchCooperativeKernel "
                    "launches one whose blocks wait for each other");
    ptx::cluster_arrive(where);
    ptx::cluster_wait(where);
}

} // namespace cudacpu
