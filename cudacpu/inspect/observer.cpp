/* observer.cpp - follows the program's launches and their blocks: which are observed, how far the
 * launch is, and the sum of what was counted. */
#include "observer.h"
#include "access_log.h"
#include "areas.h"
#include "async_events.h"
#include "async_operations.h"
#include "excuses.h"
#include "faults.h"
#include "fences.h"
#include "host_arrays.h"
#include "knowledge.h"
#include "launch_races.h"
#include "locate.h"
#include "mbarriers.h"
#include "observed_launch.h"
#include "recording.h"
#include "registers.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/memory/protection.h"
#include "runtime/scheduler/cluster.h"
#include "runtime/streams/async_mode.h"
#include "shared_variables.h"
#include "stream_faults.h"
#include "thread_order.h"
#include "unset.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <time.h>
#include <unistd.h>

namespace cudacpu::inspect {
namespace {

/* ---- launch errors ---- */

/* The launch error that nobody has asked for yet; line 0: there is none. */
struct {
    std::string kernel, why, file;
    int line = 0;
    cudaError_t error;
    uint64_t launch; /* the last one before it */
} unasked;

void record_unasked_error() {
    if (unasked.line)
        record_made_fault({"unchecked launch error",
                           unasked.file,
                           unasked.line,
                           unasked.kernel,
                           "",
                           "",
                           "",
                           std::string("the launch failed (") + error_text(unasked.error) +
                               ") and nobody asked cudaGetLastError()" +
                               (unasked.why.empty() ? "" : ": " + unasked.why),
                           "",
                           1,
                           /* before what comes of it */
                           {unasked.launch, UINT64_MAX - 1}});
    unasked.line = 0;
}

void on_launch_refused(const char *kernel, cudaError_t error, const std::string &why,
                       const char *file, int line) {
    record_unasked_error();
    unasked.kernel = kernel, unasked.file = file, unasked.line = line, unasked.error = error;
    unasked.why = why;
    unasked.launch = running_launch.number;
}

void on_error_asked() { unasked.line = 0; }

void on_host_pointer_passed(const char *kernel, int argument, bool freed) {
    uintptr_t return_address;
    record_host_fault(freed ? "freed while in use" : "host pointer", find_caller(&return_address),
                      kernel,
                      "argument " + std::to_string(argument) +
                          (freed ? " points to memory that was freed"
                                 : " points to host memory; a GPU could not follow it"));
}

std::atomic<bool> deadlocked; /* in this launch */

void on_fault(const char *kind, const char *file, int line, const char *message) {
    record_fault(kind, line ? place{file, line} : place_of_operation(), message);
    observed_worker *w = this_worker;
    if (strcmp(kind, "deadlock") == 0 && w && w->active) {
        deadlocked = true;
        record_skipped_phases(w);
    }
}

/* ---- sampling ---- */

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

void start_sampling() {
    blocks_done = blocks_observed = 0;
    stride = 1;
    work_began = work_seconds();
}

void sample_if_long(uint64_t done) {
    /* what a machine with nothing else to do would have taken */
    const double seconds = (work_seconds() - work_began) / processors();
    static const bool whole = getenv("CUDACPU_INSPECT_WHOLE") != nullptr;
    if (!whole && stride == 1 && seconds > PATIENCE &&
        seconds / (double)done * (double)running_launch.blocks() > LONG)
        stride = SAMPLE_STRIDE;
}

/* ---- launches and blocks ---- */

void on_launch_begins(const kernel &k, dim3 grid, dim3 block, const char *, int) {
    running_launch = {&k, grid, block, current_device(), running_launch.number + 1};
    find_shared_variables(k.address);
    ignore_arguments(k.arguments, k.argument_bytes);
    deadlocked = false;
    forget_partial_order();
    forget_fences();
    start_sampling();
}

void on_operation_issued(const stream_operation &o) {
    if (o.is_kernel())
        record_unasked_error();
    note_issued(o);
}

void on_operation_begins(const stream_operation &o) {
    for (const memory_use &use : o.uses)
        if (!use.write)
            note_read(use.pointer);
    note_begin(o);
}

void on_launch_ends() {
    const uint64_t blocks = running_launch.blocks();
    const dim3 block = running_launch.block;
    const double scale = blocks_observed ? (double)blocks / (double)blocks_observed : 1;
    if (blocks_observed < blocks)
        counted().sampled = true;
    kernel_counts &k = counts_of(kernel_name());
    const uint64_t loaded_before = k.global().load.words;
    k.launches++;
    k.grid = running_launch.grid;
    k.block = block;
    k.blocks += blocks;
    k.threads += blocks * block.x * block.y * block.z;
    for (observed_worker *w : workers()) {
        k.barriers += scale_count(w->barriers, scale);
        k.bulk_load_bytes += scale_count(w->bulk_load_bytes, scale);
        k.bulk_store_bytes += scale_count(w->bulk_store_bytes, scale);
        k.operand_bytes += scale_count(w->operand_bytes, scale);
        w->barriers = w->bulk_load_bytes = w->bulk_store_bytes = w->operand_bytes = 0;
        collect_traffic(k, w, scale);
        for (const uint32_t at : w->executed_at) {
            k.executed[program_text + at] += scale_count(w->executed[at], scale);
            w->executed[at] = 0;
        }
        w->executed_at.clear();
    }
    const uint64_t loaded = k.global().load.words - loaded_before;
    k.fewest_loaded = std::min(k.fewest_loaded, loaded);
    k.most_loaded = std::max(k.most_loaded, loaded);
    record_held_faults();
    count_touched_words(k, scale != 1);
    damage found;
    while (find_damage(&found))
        restore_pattern(found);
    running_launch.kernel = nullptr;
    if (is_time_over) {
        observing->process_ends();
        _exit(recorded_faults().empty() ? 0 : 1);
    }
}

void on_block_begins(uint64_t number, unsigned threads, const char *dynamic, size_t dynamic_bytes,
                     const char *stacks, size_t stacks_bytes, const unsigned short **order) {
    if (is_time_over)
        self->launch->failed = true; /* no more blocks after this one */
    if (!this_worker)
        make_this_worker();
    observed_worker *w = this_worker;
    w->block = number;
    w->blocks++;
    w->threads = threads;
    w->warp = 0;
    w->phase = 0;
    w->stored.address = 0;
    w->is_volatile = w->is_exchange = w->has_failed =
        false; /* a block may have ended amid an access */
    w->range = 0;
    w->last_stored = 0;
    w->dynamic = dynamic;
    w->dynamic_bytes = dynamic_bytes;
    w->shared_area = (uintptr_t)dynamic + (dynamic_bytes + 15) / 16 * 16 - (256 + 64) * 1024;
    w->shared_area_bytes = (256 + 2 * 64) * 1024;
    w->stacks = stacks;
    w->stacks_bytes = stacks_bytes;
    w->block_clock = ++w->clock;
    memset(w->warp_clock, 0, sizeof w->warp_clock);
    w->random = number * 7919 + 1;
    begin_readers(w, blocks_done == 0);
    const cluster *c = self->together;
    begin_knowledge(w, self->rank, c->size, c->number, c->number % stride == 0);
    w->primary_waits.clear();
    begin_async(w);
    begin_fences(w);
    begin_registers(w);
    if (is_recording && w->active)
        record_block(w);
    *order = make_thread_order(w);
}

void on_barrier_opens(const unsigned short **order) {
    observed_worker *w = this_worker;
    finish_writes(w);
    if (w->active) {
        check_stored(w);
        w->stored.address = 0;
        close_log(w);
        w->barriers++;
        const site *where = self->waiting[0]->where;
        if (is_recording)
            record_barrier(w, {where->file, where->line});
    }
    w->block_clock = ++w->clock;
    share_block(w);
    w->phase++;
    *order = make_thread_order(w);
}

void on_warp_synchronised(unsigned first_thread) {
    observed_worker *w = this_worker;
    note_partial_order(w);
    w->warp_clock[first_thread / 32] = ++w->clock;
    share_warp(w, first_thread);
}

void on_block_ends() {
    observed_worker *w = this_worker;
    finish_writes(w);
    if (w->active) {
        check_stored(w);
        close_log(w);
        blocks_observed++;
    }
    const bool observed = w->active;
    w->active = false;
    if (observed) {
        if (!self->aborted)
            check_remote(w);
        if (!self->aborted || deadlocked)
            check_expected_bytes(w);
        if (is_recording)
            keep_recording(w);
    }
    end_knowledge(w);
    sample_if_long(++blocks_done);
}

} // namespace

std::atomic<bool> is_time_over;

void start_observing(void (*process_ends)()) {
    static observer events;
    events.allocated = add_area;
    events.freed = remove_area;
    events.host_wrote = mark_written;
    events.host_reads = check_written;
    events.device_copied = copy_written;
    events.host_pointer_passed = on_host_pointer_passed;
    events.launch_refused = on_launch_refused;
    events.error_asked = on_error_asked;
    events.launch_begins = on_launch_begins;
    events.launch_ends = on_launch_ends;
    events.block_begins = on_block_begins;
    events.barrier_opens = on_barrier_opens;
    events.warp_synchronised = on_warp_synchronised;
    events.block_ends = on_block_ends;
    events.fault = on_fault;
    events.process_ends = process_ends;
    events.operation_issued = on_operation_issued;
    events.operation_begins = on_operation_begins;
    events.operation_ends = note_end;
    events.host_accessed = note_host_access;
    events.host_frees = note_host_free;
    events.transferred = count_transfer;
    events.padding_known = note_padding;
    events.structure_known = note_structure;
    events.worker_ends = end_this_worker;
    events.host_range_used = check_host_array;
    observe_async_events(events);
    events.primary_waited = note_primary_waited;
    events.dependents_launched = note_dependents_launched;
    observing = &events;
    default_async_mode = LATE;
}

void finish_observing(bool cut_short) {
    record_unasked_error();
    finish_faults();
    if (!cut_short)
        record_leaks();
    say_unasked_error();
}

} // namespace cudacpu::inspect
