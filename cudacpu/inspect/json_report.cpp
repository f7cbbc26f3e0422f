/* json_report.cpp - the report as JSON. */
#include "faults.h"
#include "model.h"
#include "report.h"
#include "runtime/host/observer.h"
#include <unistd.h>

namespace cudacpu::inspect {
namespace {

std::string member(const char *name, const std::string &value) {
    return "\"" + std::string(name) + "\": " + value;
}
std::string number(const char *name, uint64_t value) { return member(name, std::to_string(value)); }
std::string text(const char *name, const std::string &value) { return member(name, quoted(value)); }

std::string json_of_global(const traffic &t) {
    return "{" + number("words", t.words) + ", " + number("requests", t.requests) + ", " +
           number("sectors", t.sectors) + ", " + number("lines", t.lines) + "}";
}

std::string json_of_shared(const traffic &t) {
    return "{" + number("words", t.words) + ", " + number("requests", t.requests) + ", " +
           number("wavefronts", t.wavefronts) + ", " + number("conflicts", t.wavefronts - t.ideal) +
           "}";
}

std::string json_of_matrices(const kernel_counts &k) {
    std::string s;
    for (auto &matrix : k.by_matrix)
        s += (s.empty() ? "" : ", ") + quoted(matrix.first) + ": {" +
             member("load", json_of_global(matrix.second.load)) + ", " +
             member("store", json_of_global(matrix.second.store)) + "}";
    return "{" + s + "}";
}

std::string json_of_model(const kernel_counts &k) {
    const prediction p = predict(k);
    char s[600];
    snprintf(s, sizeof s,
             "{\"instructions\": %.0f, \"bytes_1_1\": %.0f, \"8800GT\": {\"memory_s\": %.6f, "
             "\"instructions_s\": %.6f, \"kernel_s\": %.6f, \"total_s\": %.6f}, \"H200\": "
             "{\"no_cache_s\": %.9f, \"perfect_cache_s\": %.9f}, \"article\": {\"kernel_s\": %g, "
             "\"total_s\": %g}}",
             k.instructions, p.bytes_1_1, p.memory, p.instructions, p.kernel, p.total,
             p.h200_no_cache, p.h200_perfect_cache, options.facts.kernel_seconds,
             options.facts.total_seconds);
    return s;
}

/* The members of a kernel's object, without braces. */
std::string json_of_kernel(const kernel_counts &k) {
    const traffic_by_kind global = k.global();
    return text("kernel", k.name) + ", " + member("n", std::to_string(options.facts.n)) + ", " +
           number("launches", k.launches) + ", " + number("blocks", k.blocks) + ", " +
           number("threads", k.threads) + ", " +
           member("loaded_by_a_launch", "{" + number("fewest", k.launches ? k.fewest_loaded : 0) +
                                            ", " + number("most", k.most_loaded) + "}") +
           ", " +
           member("global", "{" + member("load", json_of_global(global.load)) + ", " +
                                member("store", json_of_global(global.store)) + ", " +
                                member("atomic", json_of_global(global.atomic)) + ", " +
                                member("by_matrix", json_of_matrices(k)) + "}") +
           ", " +
           member("shared", "{" + member("load", json_of_shared(k.shared.load)) + ", " +
                                member("store", json_of_shared(k.shared.store)) + ", " +
                                member("atomic", json_of_shared(k.shared.atomic)) + "}") +
           ", " +
           member("variables", "{" + number("load_words", k.symbols.load.words) + ", " +
                                   number("store_words", k.symbols.store.words) + ", " +
                                   number("atomic_words", k.symbols.atomic.words) + "}") +
           ", " +
           member("bulk", "{" + number("load_bytes", k.bulk_load_bytes) + ", " +
                              number("store_bytes", k.bulk_store_bytes) + ", " +
                              number("operand_bytes", k.operand_bytes) + "}") +
           ", " + number("barriers", k.barriers) + ", " + member("model", json_of_model(k));
}

std::string json_of_fault(const fault &f) {
    return "{" + text("kind", f.kind) + ", " + text("file", f.file) + ", " +
           member("line", std::to_string(f.line)) + ", " + text("kernel", f.kernel) + ", " +
           text("block", f.block) + ", " + text("thread", f.thread) + ", " +
           text("address", f.address) + ", " + text("memory", f.memory) + ", " +
           text("message", f.message) + ", " + text("other", f.other) + ", " +
           number("count", f.count) + "}";
}

} // namespace

void write_json(FILE *file, const kernel_counts &all) {
    std::string faults, kernels, devices;
    for (auto &f : recorded_faults())
        faults += (faults.empty() ? "" : ", ") + json_of_fault(f);
    for (auto &k : counted().kernels)
        kernels += (kernels.empty() ? "{" : ", {") + json_of_kernel(k) + "}";
    for (auto &d : counted().devices)
        devices += (devices.empty() ? "{" : ", {") + number("from_host", d.from_host) + ", " +
                   number("to_host", d.to_host) + ", " + number("from_devices", d.from_peers) +
                   ", " + number("to_devices", d.to_peers) + "}";
    std::string s = "{";
    const char *seal = nullptr;
    tell(&observer::report_written, &seal);
    if (seal) {
        s += text("seal", seal) + ", ";
        if (ftruncate(fileno(file), 0) == 0) /* whoever wrote there before */
            rewind(file);
    }
    if (options.facts.name)
        s += text("program", options.facts.name) + ", ";
    s += json_of_kernel(all) + ", " + member("faults", "[" + faults + "]") + ", " +
         member("approximate", counted().approximate ? "true" : "false") + ", " +
         member("devices", "[" + devices + "]") + ", " +
         member("sampled", counted().sampled ? "true" : "false");
    char cost[100];
    snprintf(cost, sizeof cost, ", \"observed_s\": %.2f, \"observed_MB\": %.0f", observed_seconds(),
             observed_megabytes());
    s += cost;
    if (counted().kernels.size() > 1)
        s += ", " + member("kernels", "[" + kernels + "]");
    fprintf(file, "%s}\n", s.c_str());
    close_report(file, "JSON");
}

} // namespace cudacpu::inspect
