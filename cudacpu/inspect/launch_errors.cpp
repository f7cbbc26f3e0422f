/* launch_errors.cpp - launches that the runtime refuses and nobody asks about, and what they are
 * given. */
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "places.h"
#include "runtime/host/errors.h"
#include "runtime/streams/operation.h"
#include <optional>

namespace cudacpu::inspect {
namespace {

/* The launch error that nobody has asked for yet, if there is one. */
std::optional<fault> unasked;

class launch_error_events : public observer {
    void launch_refused(const char *kernel, cudaError_t error, const std::string &why,
                        const char *file, int line) override {
        record_unasked_error();
        if (!line)
            return;
        unasked = inspect::fault("unchecked launch error", {file, line}, kernel,
                                 text("the launch failed (", error_text(error),
                                      ") and nobody asked cudaGetLastError()",
                                      why.empty() ? "" : ": " + why));
        unasked->order = {running_launch.number, UINT64_MAX - 1}; /* before what comes of it */
    }
    void error_asked() override { unasked.reset(); }
    void operation_issued(const stream_operation &o) override {
        if (o.is_kernel())
            record_unasked_error();
    }
    void host_pointer_passed(const char *kernel, int argument, bool freed) override {
        record_fault({freed ? "freed while in use" : "host pointer", find_caller(), kernel,
                      text("argument ", argument,
                           freed ? " points to memory that was freed"
                                 : " points to host memory; a GPU could not follow it")});
    }
};

} // namespace

void record_unasked_error() {
    if (unasked)
        record_fault(*unasked);
    unasked.reset();
}

observer &launch_errors() { return only<launch_error_events>(); }

} // namespace cudacpu::inspect
