/* launches.cpp - in the program of a student's own main(): says on the descriptor that LAB_LAUNCHES
 * names that a kernel was launched, by 'k', and that the lab's part of the program ran, by 'p'. */
#include "runtime/host/observer.h"
#include <cstdlib>
#include <unistd.h>

namespace {

int report = -1;

class launch_observer : public cudacpu::observer {
    bool launched = false;
    void launch_asked(const char *, size_t, cudaError_t *) override {
        if (report >= 0 && !launched)
            launched = write(report, "k", 1) == 1;
    }
};
launch_observer all;

__attribute__((constructor(101))) void find_report() {
    const char *number = getenv("LAB_LAUNCHES");
    if (number)
        report = atoi(number);
    unsetenv("LAB_LAUNCHES");
    cudacpu::observers::add(&all);
}

} // namespace

extern "C" void lab_program_ran(void) {
    if (report >= 0 && write(report, "p", 1) != 1)
        report = -1;
}
