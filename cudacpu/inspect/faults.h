/* faults.h - the faults that were found, each recorded once with its place and the number of times
 * that it happened. Blocks run in any order; of a fault that several blocks make, the one of the
 * lowest block is kept, so that each run reports the same. */
#ifndef CUDACPU_INSPECT_FAULTS_H
#define CUDACPU_INSPECT_FAULTS_H
#include "places.h"
#include <utility>
#include <vector>

namespace cudacpu::inspect {

/* Launch and block: the lowest is reported. Host code comes after the launch before it. */
using fault_order = std::pair<uint64_t, uint64_t>;

/* Of the thread that runs now, or of host code. */
fault_order order_now();

struct fault {
    fault(const std::string &kind, const place &p, const std::string &kernel,
          const std::string &message)
        : kind(kind), at(p), kernel(kernel), message(message), order(order_now()) {}

    std::string kind;
    place at;
    /* what is not known, or does not apply, is "" */
    std::string kernel, block, thread, address, message, other, memory; /* at the address */
    uint64_t count = 1;
    fault_order order;
    bool within_warp = false; /* a race, each time of two lanes of one warp */
    bool is_effect = false;   /* of another fault, when they are sorted */
    /* the same at this line, of other accesses: of each the lowest */
    std::vector<std::pair<fault_order, std::string>> also;
};
std::vector<fault> &recorded_faults();

/* Of host code, or as it was made. */
void record_fault(fault f);
/* Of the thread that runs now. More faults of the same kind, kernel and line are only counted. */
void record_fault(const char *kind, const place &p, const std::string &message);
/* Of an access by the thread that runs now, in the instruction that returns to return_address.
 * other: what it collides with. Faults of one instruction and kind that are not of a lower block
 * are only counted: finding the place of each would take hours. */
void record_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                         const std::string &message, const std::string &other = "",
                         bool within_warp = false);

/* Such a fault, which may turn out to be none. */
fault make_access_fault(const char *kind, uintptr_t return_address, uintptr_t address,
                        const std::string &message, const std::string &other,
                        bool within_warp = false);

/* A launch error that nobody has asked for, if there is one (launch_errors.cpp). */
void record_unasked_error();

/* Adds the access faults that were only counted, and sorts. Once, when the program ends. */
void finish_faults();

} // namespace cudacpu::inspect
#endif
