/* faults.cpp - records faults. */
#include "faults.h"
#include "observed_launch.h"
#include "observed_worker.h"
#include "recording.h"
#include <algorithm>
#include <cstring>
#include <mutex>

namespace cudacpu::inspect {
namespace {

std::vector<fault> &all_faults() {
    static auto *all = new std::vector<fault>(); /* the report comes after destructors */
    return *all;
}

/* Of the thread that runs now, or of host code. */
fault_order order_now() {
    const observed_worker *w = this_worker;
    return {running_launch.number, w && w->active ? w->block : UINT64_MAX};
}

/* With its order and count. */
void record_as_it_is(fault f) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    auto &all = all_faults();
    for (size_t i = 0; i < all.size(); i++) {
        const fault &known = all[i];
        if (known.kind != f.kind || known.file != f.file || known.line != f.line ||
            known.kernel != f.kernel || (!f.line && known.message != f.message))
            continue;
        if (f.order >= known.order) {
            all[i].count += f.count;
            return;
        }
        f.count += known.count;
        all.erase(all.begin() + (ptrdiff_t)i);
        break;
    }
    all.push_back(f); /* those of a block in the order in which it made them */
}

void record(fault f) {
    f.count = 1;
    f.order = order_now();
    record_as_it_is(f);
}

/* The access faults of one kind that one instruction has made: the lowest that was recorded, and
 * how many were not. */
struct fault_count {
    const char *kind;
    uintptr_t return_address;
    fault_order order;
    uint64_t unrecorded;
};
std::mutex fault_counts_lock;
std::vector<fault_count> fault_counts;

bool is_first(const char *kind, uintptr_t return_address) {
    const fault_order order = order_now();
    std::lock_guard<std::mutex> guard(fault_counts_lock);
    for (auto &f : fault_counts)
        if (f.return_address == return_address && strcmp(f.kind, kind) == 0) {
            const bool first = order < f.order;
            if (first)
                f.order = order;
            else
                f.unrecorded++;
            return first;
        }
    fault_counts.push_back({kind, return_address, order, 0});
    return true;
}

} // namespace

const std::vector<fault> &recorded_faults() { return all_faults(); }

void record_fault(const char *kind, const place &p, const std::string &message) {
    observed_worker *w = this_worker;
    if (is_recording && w && w->active)
        record_step_fault(w, kind, p, 0, message);
    record({kind,
            p.file,
            p.line,
            kernel_name(),
            w && *kernel_name() ? block_name(w->block) : "",
            w && w->active ? thread_name(thread_number()) : "",
            "",
            message,
            "",
            1,
            {}});
}

void record_host_fault(const char *kind, const place &p, const std::string &kernel,
                       const std::string &message) {
    record({kind, p.file, p.line, kernel, "", "", "", message, "", 1, {}});
}

void record_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                         const std::string &message, const std::string &other) {
    const bool first = is_first(kind, return_address);
    if (!first && !is_recording)
        return;
    if (is_recording)
        record_step_fault(this_worker, kind, place_of(return_address), address, message);
    if (first)
        record(make_access_fault(kind, return_address, address, message, other));
}

fault make_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                        const std::string &message, const std::string &other) {
    const place p = place_of(return_address);
    char hex[32];
    snprintf(hex, sizeof hex, "0x%zx", (size_t)address);
    return {kind,
            p.file,
            p.line,
            kernel_name(),
            block_name(this_worker->block),
            thread_name(thread_number()),
            hex,
            message,
            other,
            1,
            order_now()};
}

void record_made_fault(const fault &f) { record_as_it_is(f); }

void finish_faults() {
    for (const auto &f : fault_counts)
        if (f.unrecorded) {
            const place p = place_of(f.return_address);
            for (auto &known : all_faults())
                if (known.kind == f.kind && known.file == p.file && known.line == p.line)
                    known.count += f.unrecorded;
        }
    fault_counts.clear();
    std::stable_sort(all_faults().begin(), all_faults().end(),
                     [](const fault &a, const fault &b) { return a.order < b.order; });
}

} // namespace cudacpu::inspect
