/* counts.cpp - the one place where the counts of the program are kept. */
#include "counts.h"

namespace cudacpu::inspect {

program_counts &counted() {
    static program_counts *all = new program_counts(); /* the report comes after destructors */
    return *all;
}

kernel_counts &counts_of(const char *kernel_name) {
    for (auto &k : counted().kernels)
        if (k.name == kernel_name)
            return k;
    counted().kernels.emplace_back();
    counted().kernels.back().name = kernel_name;
    return counted().kernels.back();
}

} // namespace cudacpu::inspect
