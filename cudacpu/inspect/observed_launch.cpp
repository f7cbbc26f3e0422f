/* observed_launch.cpp - names of the running launch's threads and blocks. */
#include "observed_launch.h"

namespace cudacpu::inspect {

observed_launch running_launch;

namespace {
std::string triple(unsigned x, unsigned y, unsigned z) {
    std::string text = "(" + std::to_string(x) + "," + std::to_string(y);
    return text + (z ? "," + std::to_string(z) : "") + ")";
}
} // namespace

const char *kernel_name() { return running_launch.kernel ? running_launch.kernel->name : ""; }

std::string block_name(uint64_t number) {
    const dim3 grid = running_launch.grid;
    return triple((unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                  (unsigned)(number / grid.x / grid.y));
}

std::string thread_name(unsigned number) {
    const dim3 block = running_launch.block;
    return triple(number % block.x, number / block.x % block.y, number / block.x / block.y);
}

} // namespace cudacpu::inspect
