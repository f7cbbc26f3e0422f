/* program_report.cpp - what is reported of an observed program, and the sum over its kernels. */
#include "program_report.h"
#include "estimate.h"
#include <cstring>
#include <sys/resource.h>
#include <time.h>

namespace cudacpu::inspect {

report_options options;

namespace {

double report_began;

double seconds_now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

kernel_counts sum_kernels() {
    kernel_counts all;
    for (auto &k : counted().kernels) {
        all.name += (all.name.empty() ? "" : ", ") + k.name;
        all.instructions += k.instructions;
        all.launches += k.launches;
        all.fewest_loaded = std::min(all.fewest_loaded, k.fewest_loaded);
        all.most_loaded = std::max(all.most_loaded, k.most_loaded);
        all.blocks += k.blocks;
        all.threads += k.threads;
        all.barriers += k.barriers;
        all.bulk_load_bytes += k.bulk_load_bytes;
        all.bulk_store_bytes += k.bulk_store_bytes;
        all.operand_bytes += k.operand_bytes;
        for (auto &matrix : k.by_matrix)
            all.by_matrix[matrix.first] += matrix.second;
        for (auto &matrix : k.touched)
            all.touched[matrix.first] += matrix.second;
        all.shared += k.shared;
        all.symbols += k.symbols;
    }
    return all;
}

} // namespace

void start_report() { report_began = seconds_now(); }
double observed_seconds() { return seconds_now() - report_began; }
double observed_megabytes() {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1000;
}

bool is_report_lost;

void close_report(FILE *file, const char *what) {
    const bool failed = ferror(file);
    if (fclose(file) == 0 && !failed)
        return;
    fprintf(stderr, "inspect: the %s file could not be written\n", what);
    is_report_lost = true;
}

void write_report() {
    for (auto &k : counted().kernels)
        k.instructions = estimate_instructions(k);
    const kernel_counts all = sum_kernels();
    if (options.row) {
        print_row(all);
    } else {
        for (auto &k : counted().kernels)
            print_kernel(k);
        print_end();
    }
    if (options.json)
        write_json(options.json, all);
    if (options.html)
        write_html(options.html);
    if (options.html && !is_report_lost && strncmp(options.html_path, "fd:", 3) != 0)
        printf("The page is %s: open it in a browser.\n", options.html_path);
}

} // namespace cudacpu::inspect
