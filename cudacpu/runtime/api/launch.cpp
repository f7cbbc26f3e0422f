/* launch.cpp - <<<grid, block>>>: checks the launch as the runtime does, runs it, looks for damage.
 */
#include "calls.h"
#include "cudacpu/kernel.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/host/symbols.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/scheduler/faults.h"
#include "runtime/scheduler/grid.h"
#include "runtime/streams/async_mode.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

namespace cudacpu {

namespace {

/* So many blocks of that many threads are resident together. */
uint64_t most_cooperative_blocks(uint64_t threads) {
    int sms = 0, per_sm = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    return std::min<uint64_t>((uint64_t)sms * ((uint64_t)per_sm / threads), MAX_COOPERATIVE);
}

void prepare_launch(launch_state *l, const kernel &k, const configuration &given) {
    const dim3 grid = given.grid, c = k.cooperative ? grid : k.cluster;
    l->what = &k;
    l->device = current_device();
    l->grid = grid;
    l->block = given.block;
    l->cluster = c;
    l->shared_bytes = given.shared_bytes;
    l->first_static = first_static(k.address);
    l->file = given.file;
    l->line = given.line;
    l->clusters = (uint64_t)grid.x * grid.y * grid.z / ((uint64_t)c.x * c.y * c.z);
}

/* A kernel launches no other. Asked before any lock is taken: the launch that runs holds it. */
void refuse_launch_by_kernel() {
    running_thread who;
    if (!find_running_thread(&who))
        return;
    end_with("kernel ", who.launch->what->name,
             " launched a kernel: cudacpu does not provide that, it needs nvcc and a GPU");
}

/* The pointers to pinned and managed memory among the arguments of the next launch. */
thread_local std::vector<void *> host_arguments;

/* A launch that waits in its stream, with a copy of the kernel's arguments. */
struct queued_launch : launch_state {
    kernel own;
    std::shared_ptr<void> copied;
};

void perform_launch(launch_state *l) {
    open_memory(l->what->arguments, l->what->argument_bytes);
    if (observers::any())
        show_host_memory(false);
    use_variables(l->device);
    l->number = begin_launch_draws();
    tell(&observer::launch_begins, *l->what, l->grid, l->block);
    if (!follows_accesses)
        l->may_overlap = has_dependent(l->operation);
    {
        progress_line shown(l);
        run_grid(l, false);
    }
    tell_end(&observer::launch_ends);
    damage found;
    if (l->dependent)
        finish_dependents(l);
    else if (!follows_accesses && find_damage(&found))
        find_culprit(l, found);
    if (observers::any())
        show_host_memory(true);
    close_memory();
    if (l->error)
        make_sticky(l->error);
}

} // namespace

/* A kernel's pointer argument that no device could follow: said once a launch, not an error until
 * it is used there. */
void check_pointer(const char *name, int position, const void *pointer) {
    if (!pointer)
        return;
    refuse_launch_by_kernel();
    runtime_guard guard;
    const allocation *a = find_allocation(pointer);
    if (a && !a->freed && a->kind != DEVICE_MEMORY && follows_accesses)
        host_arguments.push_back((void *)pointer);
    if ((a && !a->freed) || in_program(pointer, 0))
        return;
    tell(&observer::host_pointer_passed, name, position, a && a->freed);
    say("warning: argument ", position, " of kernel ", name, " points to ",
        a ? "memory that was freed"
          : "host memory; a GPU could not follow it (cudaMalloc and cudaMemcpy make a copy that "
            "it can)");
}

/* ---- what stands between <<< and >>> ---- */

static thread_local configuration *configured; /* the last that no kernel has taken */

configuration::configuration(const char *kernel, dim3 g, dim3 b, size_t bytes, cudaStream_t s,
                             const char *where, int number, cudaStream_t default_stream)
    : name(kernel), grid(g), block(b), shared_bytes(bytes), stream(s ? s : default_stream),
      file(where), line(number), before(configured) {
    refuse_launch_by_kernel();
    configured = this;
}

configuration::~configuration() {
    if (taken)
        return;
    configured = before;
    if (std::uncaught_exceptions()) /* its arguments' */
        return;
    fflush(stdout);
    say(*this, ": ", name,
        "<<<...>>> launches a function that is no kernel, __global__ is missing before it: it has "
        "run on the host");
    error = remember_error(cudaErrorInvalidDeviceFunction);
}

configuration *take_configuration(const char *kernel, const char *file, int line) {
    configuration *const c = configured;
    if (!c)
        end_with("kernel ", kernel, " (", file, ":", line,
                 ") is called like a function: a kernel must be launched: ", kernel,
                 "<<<grid, block>>>(...)");
    configured = c->before;
    c->taken = true;
    if (!c->name)
        c->name = kernel;
    if (!c->file)
        c->file = file, c->line = line;
    return c;
}

void check_kernel(const void *kernel) {
    if (!kernel)
        end_with(*configured, ": ", configured->name,
                 "<<<...>>> launches a null pointer: it holds no kernel's address; with nvcc the "
                 "program crashes here");
}

/* What the attributes of a launch say: its clusters, whether it may begin before the kernel before
 * it has ended, and whether its blocks may wait for each other. cudaErrorInvalidClusterSize where
 * one contradicts __cluster_dims__, cudaErrorInvalidValue for one that is not known. */
static cudaError_t read_attributes(const cudaLaunchConfig_t *config, kernel *k) {
    const dim3 own = k->cluster;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const auto &value = config->attrs[i].val;
        const dim3 asked(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
        switch (config->attrs[i].id) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
            break;
        case cudaLaunchAttributeProgrammaticStreamSerialization:
            k->begins_early = value.programmaticStreamSerializationAllowed != 0;
            break;
        case cudaLaunchAttributeCooperative:
            k->cooperative = value.cooperative != 0;
            break;
        case cudaLaunchAttributeClusterDimension:
            k->cluster = asked;
            if (own.x && (own.x != asked.x || own.y != asked.y || own.z != asked.z))
                return cudaErrorInvalidClusterSize;
            break;
        default:
            return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

/* What of a launch's configuration is too much or too little; "": nothing. */
static std::string check_configuration(dim3 grid, dim3 block) {
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const auto excess = [](uint64_t number, const char *what, const char *where, dim3 size,
                           unsigned most) {
        return text(number, " ", what, " in a ", where, " of ", size, "; ", most, " is the most");
    };
    if (!grid.x || !grid.y || !grid.z)
        return text("no blocks in a grid of ", grid);
    if (!block.x || !block.y || !block.z)
        return text("no threads in a block of ", block);
    if (threads > MAX_THREADS || block.x > MAX_THREADS || block.y > MAX_THREADS)
        return excess(threads, "threads", "block", block, MAX_THREADS);
    if (block.z > 64)
        return excess(block.z, "threads in z", "block", block, 64);
    if (grid.x > 2147483647u)
        return excess(grid.x, "blocks in x", "grid", grid, 2147483647u);
    if (grid.y > 65535 || grid.z > 65535)
        return excess(std::max(grid.y, grid.z), grid.y > grid.z ? "blocks in y" : "blocks in z",
                      "grid", grid, 65535);
    return "";
}

static cudaError_t launch(const kernel &k, const configuration &given) {
    const std::vector<void *> arguments = std::exchange(host_arguments, {});
    const dim3 grid = given.grid, block = given.block;
    if (sticky_error())
        return remember_error(sticky_error());
    auto refuse = [&](cudaError_t error, const auto &...parts) {
        const std::string why = text(parts...);
        explain_at(given.file && *given.file ? text(given) : "", error,
                   why.empty() ? "" : text("kernel ", k.name, ": ", why));
        remember_error(error);
        tell(&observer::launch_refused, k.name, error, why, given.file, given.line);
        if (follows_accesses)
            forget_failed_call(); /* the observer says it */
        return error;
    };
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (k.most_threads && k.most_threads < MAX_THREADS && threads > k.most_threads)
        return refuse(cudaErrorInvalidValue, threads,
                      " threads in a block; its __launch_bounds__ has ", k.most_threads);
    if (const std::string why = check_configuration(grid, block); !why.empty())
        return refuse(cudaErrorInvalidConfiguration, why);
    if (k.cooperative && (uint64_t)grid.x * grid.y * grid.z > most_cooperative_blocks(threads))
        return refuse(cudaErrorCooperativeLaunchTooLarge, (uint64_t)grid.x * grid.y * grid.z,
                      " blocks that wait for each other; ", most_cooperative_blocks(threads),
                      " is the most");
    const dim3 c = k.cluster;
    const uint64_t cluster = (uint64_t)c.x * c.y * c.z;
    if (!cluster || cluster > MAX_CLUSTER || grid.x % c.x || grid.y % c.y || grid.z % c.z)
        return refuse(cudaErrorInvalidClusterSize, "clusters of ", c, " blocks in a grid of ", grid,
                      "; ", MAX_CLUSTER, " blocks are the most, and the grid must be a multiple");
    if (given.shared_bytes > dynamic_limit(k.address))
        return refuse(cudaErrorInvalidValue, given.shared_bytes,
                      " bytes of dynamic shared memory; ", dynamic_limit(k.address),
                      " is the most unless cudaFuncSetAttribute raises it");
    CUstream_st *queue = find_stream(given.stream);
    if (!queue || queue->device != current_device())
        return refuse(cudaErrorInvalidResourceHandle);
    cudaError_t error = cudaSuccess;
    tell(&observer::launch_asked, k.name, k.argument_bytes, &error);
    if (error)
        return refuse(error);
    install_fault_handler();
    if (performs_at_once()) {
        launch_state l;
        prepare_launch(&l, k, given);
        perform_launch(&l);
        return cudaSuccess;
    }
    const auto queued = std::make_shared<queued_launch>();
    queued->copied = std::shared_ptr<void>(k.copy(k.arguments), k.destroy);
    queued->own = k;
    queued->own.arguments = queued->copied.get();
    prepare_launch(queued.get(), queued->own, given);
    stream_operation o = make_operation(k.name, nullptr);
    o.file = given.file;
    o.line = given.line;
    o.arguments = arguments;
    o.launch = queued;
    o.begins_early = k.begins_early;
    o.perform = [queued](const stream_operation &self) {
        queued->operation = self.number;
        queued->next = 0; /* a graph's launch is done again */
        perform_launch(queued.get());
    };
    issue(queue, std::move(o));
    return cudaSuccess;
}

void launch(const kernel &asked, configuration *c) {
    kernel k = asked;
    c->error = remember_error(c->more ? read_attributes(c->more, &k) : cudaSuccess);
    if (c->error)
        return;
    if (!k.cluster.x)
        k.cluster = dim3();
    c->error = launch(k, *c);
}

} // namespace cudacpu
