/* faults.cpp - records faults. */
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "recording.h"
#include "shared_variables.h"
#include "stream_faults.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>
#include <set>

namespace cudacpu::inspect {

std::vector<fault> &recorded_faults() {
    static auto *all = new std::vector<fault>(); /* the report comes after destructors */
    return *all;
}

fault_order order_now() {
    const observed_worker *w = this_worker;
    return {running_launch.number, w && w->active ? w->block : UINT64_MAX};
}

namespace {

/* "wrote 1 byte past the 400 bytes of y" without its numbers: which access of the line it is. */
std::string without_numbers(std::string text) {
    text.erase(
        std::remove_if(text.begin(), text.end(), [](unsigned char c) { return isdigit(c) != 0; }),
        text.end());
    return text;
}

/* Of two faults of one line, `other` is counted with f: what else it is, of its lowest block. */
void note_also(fault *f, const fault &other) {
    auto all = other.also;
    all.push_back({other.order, other.message});
    for (const auto &one : all) {
        const std::string what = without_numbers(one.second);
        if (what == without_numbers(f->message))
            continue;
        auto known = std::find_if(f->also.begin(), f->also.end(),
                                  [&](const auto &k) { return without_numbers(k.second) == what; });
        if (known == f->also.end())
            f->also.push_back(one);
        else
            *known = std::min(*known, one);
    }
}

/* The access faults of one kind that one instruction has made: the lowest that was recorded, and
 * how many were not. */
struct fault_count {
    const char *kind;
    uintptr_t return_address;
    fault_order order;
    uint64_t unrecorded;
    bool within_warp; /* each of them */
};
std::mutex fault_counts_lock;
std::vector<fault_count> fault_counts;

bool is_first(const char *kind, uintptr_t return_address, bool within_warp) {
    const fault_order order = order_now();
    std::lock_guard<std::mutex> guard(fault_counts_lock);
    for (auto &f : fault_counts)
        if (f.return_address == return_address && strcmp(f.kind, kind) == 0) {
            const bool first = order < f.order;
            f.within_warp = f.within_warp && within_warp;
            if (first)
                f.order = order;
            else
                f.unrecorded++;
            return first;
        }
    fault_counts.push_back({kind, return_address, order, 0, within_warp});
    return true;
}

/* What lies at an address that the running thread uses; "": not known. */
std::string describe_memory(uintptr_t address) {
    const observed_worker *w = this_worker;
    if (const area *a = find_area(address))
        return describe_position(a, address);
    if (address - (uintptr_t)w->dynamic < w->dynamic_bytes)
        return text("byte ", address - (uintptr_t)w->dynamic, " of dynamic shared memory");
    return address - w->tls < w->tls_bytes ? describe_shared(address - w->tls) : "";
}

/* Who reads what nobody has written yet, where a barrier is missing: the race is the cause. */
bool comes_of_race(const fault &f) {
    const std::string here = text(f.at, " ");
    const auto &all = recorded_faults();
    return f.kind == "uninitialised read" &&
           std::any_of(all.begin(), all.end(), [&](const fault &race) {
               return race.kind == "shared race" && race.order == f.order &&
                      (race.at == f.at || race.message.find(here) != std::string::npos);
           });
}

/* By launch and block; of one block in the order in which it made them, the causes first. */
void sort_faults() {
    auto &all = recorded_faults();
    for (fault &f : all)
        f.is_effect = comes_of_race(f);
    std::stable_sort(all.begin(), all.end(), [](const fault &a, const fault &b) {
        return std::tie(a.order, a.is_effect) < std::tie(b.order, b.is_effect);
    });
}

/* Where all races of a kernel are between lanes of one warp, the messages say so; and what else the
 * accesses of a line do. */
void complete_messages() {
    std::set<std::string> between_warps;
    for (const fault &f : recorded_faults())
        if (f.kind == "shared race" && !f.within_warp)
            between_warps.insert(f.kernel);
    for (fault &f : recorded_faults()) {
        if (f.within_warp && !between_warps.count(f.kernel))
            f.message += "; both are of one warp: __syncwarp() is missing";
        std::sort(f.also.begin(), f.also.end());
        for (const auto &also : f.also)
            f.message += "; also " + also.second;
    }
}

} // namespace

void record_fault(fault f) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    auto &all = recorded_faults();
    for (size_t i = 0; i < all.size(); i++) {
        fault &known = all[i];
        if (known.kind != f.kind || !(known.at == f.at) || known.kernel != f.kernel ||
            (!f.at.line && known.message != f.message))
            continue;
        const bool is_bounds = f.kind == "out of bounds";
        f.within_warp = known.within_warp = known.within_warp && f.within_warp;
        if (f.order >= known.order) {
            known.count += f.count;
            if (is_bounds)
                note_also(&known, f);
            return;
        }
        if (is_bounds)
            note_also(&f, known);
        f.count += known.count;
        all.erase(all.begin() + (ptrdiff_t)i);
        break;
    }
    all.push_back(f); /* those of a block in the order in which it made them */
}

void record_fault(const char *kind, const place &p, const std::string &message) {
    observed_worker *w = this_worker;
    if (is_recording && w && w->active)
        record_step_fault(w, kind, p, 0, message);
    fault f(kind, p, kernel_name(), message);
    f.block = w && *kernel_name() ? block_name(w->block) : "";
    f.thread = w && w->active ? thread_name(thread_number()) : "";
    record_fault(f);
}

void record_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                         const std::string &message, const std::string &other, bool within_warp) {
    const bool first = is_first(kind, return_address, within_warp);
    if (is_recording)
        record_step_fault(this_worker, kind, place_of(return_address), address, message);
    if (first)
        record_fault(make_access_fault(kind, return_address, address, message, other, within_warp));
}

fault make_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                        const std::string &message, const std::string &other, bool within_warp) {
    fault f(kind, place_of(return_address), kernel_name(), message);
    f.block = block_name(this_worker->block);
    f.thread = thread_name(thread_number());
    f.address = print("0x%zx", (size_t)address);
    f.other = other;
    f.memory = describe_memory(address);
    f.within_warp = within_warp;
    return f;
}

void finish_faults() {
    for (const auto &f : fault_counts) {
        const place p = place_of(f.return_address);
        for (auto &known : recorded_faults())
            if (known.kind == f.kind && known.at == p) {
                known.count += f.unrecorded;
                known.within_warp = known.within_warp && f.within_warp;
            }
    }
    fault_counts.clear();
    sort_faults();
    complete_messages();
}

} // namespace cudacpu::inspect
