/* launch_errors.cpp - launches that the runtime refuses and nobody asks about, and what they are
 * given. */
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "places.h"
#include "runtime/host/errors.h"
#include "runtime/streams/operation.h"

namespace cudacpu::inspect {
namespace {

/* The launch error that nobody has asked for yet; line 0: there is none. */
struct {
    std::string kernel, why, file;
    int line = 0;
    cudaError_t error;
    uint64_t launch; /* the last one before it */
} unasked;

} // namespace

void record_unasked_error() {
    if (unasked.line) {
        fault f("unchecked launch error", {unasked.file, unasked.line}, unasked.kernel,
                text("the launch failed (", error_text(unasked.error),
                     ") and nobody asked cudaGetLastError()",
                     unasked.why.empty() ? "" : ": " + unasked.why));
        f.order = {unasked.launch, UINT64_MAX - 1}; /* before what comes of it */
        record_fault(f);
    }
    unasked.line = 0;
}

namespace {

class launch_error_events : public observer {
    void launch_refused(const char *kernel, cudaError_t error, const std::string &why,
                        const char *file, int line) override {
        record_unasked_error();
        unasked.kernel = kernel, unasked.file = file, unasked.line = line, unasked.error = error;
        unasked.why = why;
        unasked.launch = running_launch.number;
    }
    void error_asked() override { unasked.line = 0; }
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

observer &launch_errors() { return only<launch_error_events>(); }

} // namespace cudacpu::inspect
