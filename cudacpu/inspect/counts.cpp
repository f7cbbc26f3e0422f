/* counts.cpp - the one place where the counts of the program are kept. */
#include "counts.h"
#include "observer.h"
#include "runtime/host/devices.h"

namespace cudacpu::inspect {

program_counts &counted() {
    static program_counts *all = [] {
        program_counts *made = new program_counts(); /* the report comes after destructors */
        made->devices.resize((size_t)device_count());
        return made;
    }();
    return *all;
}

void count_transfer(int from, int to, size_t bytes) {
    std::vector<device_traffic> &devices = counted().devices;
    if (from == to)
        return;
    if (from != HOST)
        (to == HOST ? devices[(size_t)from].to_host : devices[(size_t)from].to_peers) += bytes;
    if (to != HOST)
        (from == HOST ? devices[(size_t)to].from_host : devices[(size_t)to].from_peers) += bytes;
}

kernel_counts &counts_of(const char *kernel_name) {
    for (auto &k : counted().kernels)
        if (k.name == kernel_name)
            return k;
    counted().kernels.emplace_back();
    counted().kernels.back().name = kernel_name;
    return counted().kernels.back();
}

namespace {
class transfer_events : public observer {
    void transferred(int from, int to, size_t bytes) override { count_transfer(from, to, bytes); }
};
} // namespace

observer &transfers() {
    static transfer_events all;
    return all;
}

} // namespace cudacpu::inspect
