/* faults.cpp - records faults. */
#include "faults.h"
#include "observed_launch.h"
#include "observed_worker.h"
#include <cstring>
#include <mutex>

namespace cudacpu::inspect {
namespace {

std::vector<fault> &all_faults() {
    static auto *all = new std::vector<fault>(); /* the report comes after destructors */
    return *all;
}

void record(fault f) {
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    for (auto &known : all_faults())
        if (known.kind == f.kind && known.file == f.file && known.line == f.line &&
            known.kernel == f.kernel && (f.line || known.message == f.message)) {
            known.count++;
            return;
        }
    f.count = 1;
    all_faults().push_back(f);
}

/* The access faults of one kind that one instruction has made. */
struct fault_count {
    const char *kind;
    uintptr_t return_address;
    uint64_t count;
};
std::mutex fault_counts_lock;
std::vector<fault_count> fault_counts;

bool is_first(const char *kind, uintptr_t return_address) {
    std::lock_guard<std::mutex> guard(fault_counts_lock);
    for (auto &f : fault_counts)
        if (f.return_address == return_address && strcmp(f.kind, kind) == 0) {
            f.count++;
            return false;
        }
    fault_counts.push_back({kind, return_address, 1});
    return true;
}

} // namespace

const std::vector<fault> &recorded_faults() { return all_faults(); }

void record_fault(const char *kind, const place &p, const std::string &message) {
    const observed_worker *w = this_worker;
    record({kind, p.file, p.line, kernel_name(), w ? block_name(w->block) : "",
            w && w->active ? thread_name(thread_number()) : "", "", message, "", 1});
}

void record_host_fault(const char *kind, const place &p, const std::string &kernel,
                       const std::string &message) {
    record({kind, p.file, p.line, kernel, "", "", "", message, "", 1});
}

void record_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                         const std::string &message, const std::string &other) {
    if (!is_first(kind, return_address))
        return;
    const place p = place_of(return_address);
    char hex[32];
    snprintf(hex, sizeof hex, "0x%zx", (size_t)address);
    record({kind, p.file, p.line, kernel_name(), block_name(this_worker->block),
            thread_name(thread_number()), hex, message, other, 1});
}

void add_repeated_faults() {
    for (auto &f : fault_counts)
        if (f.count > 1) {
            const place p = place_of(f.return_address);
            for (auto &known : all_faults())
                if (known.kind == f.kind && known.file == p.file && known.line == p.line)
                    known.count += f.count - 1;
        }
    fault_counts.clear();
}

} // namespace cudacpu::inspect
