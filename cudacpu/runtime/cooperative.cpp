/* cooperative.cpp - grid.sync(), the barrier of a cooperative launch, is its only cluster's. */
#include "cooperative.h"
#include "block.h"
#include "cluster.h"
#include "cuda_runtime_api.h"
#include "cudacpu/groups.h"
#include "cudacpu/ptx.h"
#include "launch.h"
#include <algorithm>

namespace cudacpu {

uint64_t most_cooperative_blocks(uint64_t threads) {
    int sms = 0, per_sm = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    return std::min<uint64_t>((uint64_t)sms * ((uint64_t)per_sm / threads), MAX_COOPERATIVE);
}

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
