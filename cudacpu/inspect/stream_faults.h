/* stream_faults.h - what operations in streams, and host code, do to the same memory without an
 * order between them. Whether two are ordered does not depend on when they are done. */
#ifndef CUDACPU_INSPECT_STREAM_FAULTS_H
#define CUDACPU_INSPECT_STREAM_FAULTS_H
#include "places.h"
#include "runtime/streams/operation.h"

namespace cudacpu::inspect {

enum use_kind { USE_READ, USE_WRITE, USE_ATOMIC, USE_KINDS };

/* Bytes, as ranges that ascend. */
struct byte_range {
    uintptr_t begin, end;
};
struct memory_uses {
    std::vector<byte_range> ranges[USE_KINDS];

    void add(use_kind kind, uintptr_t begin, uintptr_t end) {
        std::vector<byte_range> &r = ranges[kind];
        if (!r.empty() && r.back().end == begin)
            r.back().end = end;
        else
            r.push_back({begin, end});
    }
};

/* Of the kernel that runs: filled in when it has run. NULL: no kernel runs in a stream. */
memory_uses *uses_of_running_kernel();
/* Of the operation that is being done, else of the caller. */
place place_of_operation();

} // namespace cudacpu::inspect
#endif
