/* text_report.cpp - the report of an observed program, and that as text. */
#include "access_log.h"
#include "areas.h"
#include "excuses.h"
#include "faults.h"
#include "model.h"
#include "observer.h"
#include "reports.h"
#include <chrono>
#include <cinttypes>
#include <cstring>
#include <sys/resource.h>

namespace cudacpu::inspect {
namespace {

/* Three significant digits, or four decimals of a second where these are more. */
std::string format_seconds(double seconds) {
    if (seconds == 0)
        return "0 s";
    if (seconds >= 0.01)
        return print("%.4f s", seconds);
    const char *unit = seconds < 1e-6 ? "ns" : seconds < 1e-3 ? "us" : "ms";
    const double value = seconds * (seconds < 1e-6 ? 1e9 : seconds < 1e-3 ? 1e6 : 1e3);
    return print("%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
}

std::string format_speed(double flop, double seconds) {
    const double speed = flop / seconds;
    return speed >= 1e8   ? print("%.2f GFLOPS", 1e-9 * speed)
           : speed >= 1e5 ? print("%.2f MFLOPS", 1e-6 * speed)
                          : print("%.2f kFLOPS", 1e-3 * speed);
}

std::string format_dimensions(dim3 d) {
    return text("(", d.x, d.y > 1 || d.z > 1 ? text(",", d.y) : "", d.z > 1 ? text(",", d.z) : "",
                ")");
}

void print_global(const std::string &what, const traffic &t) {
    if (t.requests)
        printf("  %-22s %14" PRIu64 " %13" PRIu64 " %13" PRIu64 " %13" PRIu64 " %8.2f %16" PRIu64
               "\n",
               what.c_str(), t.words, t.requests, t.sectors, t.lines,
               (double)t.sectors / (double)t.requests, t.sectors * 32);
}

void print_shared(const char *what, const traffic &t) {
    if (t.requests)
        printf("  %-22s %14" PRIu64 " %13" PRIu64 " %13" PRIu64 " %13" PRIu64 "\n", what, t.words,
               t.requests, t.wavefronts, t.wavefronts - t.ideal);
}

uint64_t count_requests(const traffic_by_kind &t) {
    return t.load.requests + t.store.requests + t.atomic.requests;
}

void print_traffic(const kernel_counts &k) {
    const traffic_by_kind global = k.global();
    if (!k.by_matrix.empty())
        printf("  %-22s %14s %13s %13s %13s %8s %16s\n", "global memory", "words", "requests",
               "sectors", "128-B lines", "sect/req", "bytes (sectors)");
    print_global("load", global.load);
    for (auto &matrix : k.by_matrix)
        print_global("  " + matrix.first, matrix.second.load);
    print_global("store", global.store);
    for (auto &matrix : k.by_matrix)
        print_global("  " + matrix.first, matrix.second.store);
    print_global("atomic", global.atomic);
    if (count_requests(k.shared))
        printf("  %-22s %14s %13s %13s %13s\n", "shared memory", "words", "requests", "wavefronts",
               "conflicts");
    print_shared("load", k.shared.load);
    print_shared("store", k.shared.store);
    print_shared("atomic", k.shared.atomic);
    if (count_requests(k.symbols))
        printf("  program variables (__constant__, __device__): %" PRIu64 " words loaded, %" PRIu64
               " stored\n",
               k.symbols.load.words, k.symbols.store.words);
    if (k.bulk_load_bytes || k.bulk_store_bytes)
        printf("  bulk copies: %" PRIu64 " bytes to shared memory, %" PRIu64 " from it\n",
               k.bulk_load_bytes, k.bulk_store_bytes);
    if (k.operand_bytes)
        printf("  wgmma: %" PRIu64 " bytes of operands read from shared memory\n", k.operand_bytes);
    printf("  barriers: %" PRIu64 " (each of a whole block)\n", k.barriers);
}

void print_times(const kernel_counts &k) {
    const inspect_facts &facts = options.facts;
    const prediction p = predict(k);
    printf("  %s, predicted: kernel %s (memory %s, instructions %s: the larger), with transfer %s",
           ARTICLE.name, format_seconds(p.kernel).c_str(), format_seconds(p.memory).c_str(),
           format_seconds(p.instructions).c_str(), format_seconds(p.total).c_str());
    if (facts.flop > 0)
        printf(", %s", format_speed(facts.flop, p.total).c_str());
    printf("\n");
    if (facts.total_seconds > 0) {
        printf("  %s, the article:  ", ARTICLE.name);
        if (facts.kernel_seconds > 0)
            printf("kernel %s, ", format_seconds(facts.kernel_seconds).c_str());
        printf("total %s, %s\n", format_seconds(facts.total_seconds).c_str(),
               format_speed(facts.flop, facts.total_seconds).c_str());
    }
    printf("  %s, bounds: kernel at least %s with a perfect cache, %s with none\n", H200.name,
           format_seconds(p.h200_perfect_cache).c_str(), format_seconds(p.h200_no_cache).c_str());
}

void print_fault(const fault &f) {
    const bool is_said = f.message.find(f.memory) != std::string::npos;
    const std::string where = f.address + after(", ", is_said ? "" : f.memory),
                      line =
                          text("fault: ", f.kind, ": ", f.at.line ? text(f.at, ": ") : "",
                               after("kernel ", f.kernel), after(" block ", f.block),
                               after(" thread ", f.thread), f.kernel.empty() ? "" : ": ", f.message,
                               f.address.empty() ? "" : text(" (address ", where, ")"),
                               f.count > 1 ? text(" (", f.count, " times)") : "");
    puts(line.c_str());
}

void print_devices() {
    printf("\n%-10s %15s %15s %15s %15s\n", "bytes", "from the host", "to the host", "from devices",
           "to devices");
    for (size_t i = 0; i < counted().devices.size(); i++) {
        const device_traffic &t = counted().devices[i];
        printf("device %-3zu %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 "\n", i,
               t.from_host, t.to_host, t.from_peers, t.to_peers);
    }
}

/* All of it: the sum over the kernels. */
kernel_counts sum_kernels() {
    kernel_counts all;
    for (auto &k : counted().kernels) {
        all.name += (all.name.empty() ? "" : ", ") + k.name;
        all.instructions += k.instructions;
        for (uint64_t kernel_counts::*count :
             {&kernel_counts::launches, &kernel_counts::blocks, &kernel_counts::threads,
              &kernel_counts::barriers, &kernel_counts::bulk_load_bytes,
              &kernel_counts::bulk_store_bytes, &kernel_counts::operand_bytes})
            all.*count += k.*count;
        all.fewest_loaded = std::min(all.fewest_loaded, k.fewest_loaded);
        all.most_loaded = std::max(all.most_loaded, k.most_loaded);
        for (auto &matrix : k.by_matrix)
            all.by_matrix[matrix.first] += matrix.second;
        for (auto &matrix : k.touched)
            all.touched[matrix.first] += matrix.second;
        all.shared += k.shared;
        all.symbols += k.symbols;
    }
    return all;
}

void print_kernel(const kernel_counts &k) {
    printf("\n%s<<<%s, %s>>>: %" PRIu64 " launch%s, %" PRIu64 " blocks, %" PRIu64 " threads\n",
           k.name.c_str(), format_dimensions(k.grid).c_str(), format_dimensions(k.block).c_str(),
           k.launches, k.launches == 1 ? "" : "es", k.blocks, k.threads);
    print_traffic(k);
    const inspect_facts &facts = options.facts;
    const uint64_t words = k.global().load.words;
    if (facts.formula && counted().kernels.size() == 1)
        printf("  global loads by formula: %s = %.0f words; counted: %" PRIu64 " (%+.2f %%)\n",
               facts.formula, facts.loads, words, 100 * ((double)words / facts.loads - 1));
    print_times(k);
}

void print_row(const kernel_counts &all) {
    const inspect_facts &facts = options.facts;
    const traffic_by_kind global = all.global();
    const std::string article = facts.total_seconds > 0 ? print("%.4f", facts.total_seconds) : "-";
    printf("%-18s %12" PRIu64 " %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %11" PRIu64
           " %9" PRIu64 " %8.4f %8s %6zu\n",
           facts.name ? facts.name : all.name.c_str(), global.load.words, global.load.requests,
           global.load.sectors, global.load.lines, global.store.sectors, all.shared.load.wavefronts,
           all.barriers, predict(all).total, article.c_str(), recorded_faults().size());
}

void print_end() {
    const auto &faults = recorded_faults();
    if (counted().approximate)
        printf("Requests are approximate: a warp's threads made more than %u accesses without a "
               "barrier.\n",
               LOG_LIMIT);
    if (counted().kernels.empty() && faults.empty())
        return;
    if (counted().devices.size() > 1)
        print_devices();
    printf("\n%s\n", faults.empty() ? "No faults." : "Faults:");
    for (auto &f : faults)
        print_fault(f);
    for (const std::string &at : equal_values())
        printf("note: %s: several threads write the same value into one element, with no barrier "
               "between them: right as long as it is the same\n",
               at.c_str());
    for (const std::string &result : unread_results())
        printf("note: %s\n", result.c_str());
    if (is_time_over)
        printf("Stopped by --seconds: what would have come later was not observed.\n");
    printf("Observed in %.1f s with %.0f MB of memory; %s.\n", observed_seconds(),
           observed_megabytes(),
           counted().sampled ? "not every block was observed: the counts are those of the observed "
                               "ones, scaled to all"
                             : "no block was left out");
}

const auto program_began = std::chrono::steady_clock::now();

} // namespace

report_options options;
bool is_report_lost;

double observed_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - program_began).count();
}
double observed_megabytes() {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1000;
}

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
