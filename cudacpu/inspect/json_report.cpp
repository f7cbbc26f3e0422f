/* json_report.cpp - the report as JSON. */
#include "faults.h"
#include "model.h"
#include "reports.h"
#include "runtime/host/observer.h"
#include <unistd.h>

namespace cudacpu::inspect {
namespace {

json json_of_global(const traffic &t) {
    return json_object("words", t.words, "requests", t.requests, "sectors", t.sectors, "lines",
                       t.lines);
}

json json_of_shared(const traffic &t) {
    return json_object("words", t.words, "requests", t.requests, "wavefronts", t.wavefronts,
                       "conflicts", t.wavefronts - t.ideal);
}

json json_of_matrices(const kernel_counts &k) {
    std::string all;
    for (auto &[name, t] : k.by_matrix)
        all += (all.empty() ? "" : ", ") +
               json_members(name.c_str(), json_object("load", json_of_global(t.load), "store",
                                                      json_of_global(t.store)));
    return json::verbatim("{" + all + "}");
}

json json_of_model(const kernel_counts &k) {
    const prediction p = predict(k);
    return json::verbatim(print(
        "{\"instructions\": %.0f, \"bytes_1_1\": %.0f, \"8800GT\": {\"memory_s\": %.6f, "
        "\"instructions_s\": %.6f, \"kernel_s\": %.6f, \"total_s\": %.6f}, \"H200\": "
        "{\"no_cache_s\": %.9f, \"perfect_cache_s\": %.9f}, \"article\": {\"kernel_s\": %g, "
        "\"total_s\": %g}}",
        k.instructions, p.bytes_1_1, p.memory, p.instructions, p.kernel, p.total, p.h200_no_cache,
        p.h200_perfect_cache, options.facts.kernel_seconds, options.facts.total_seconds));
}

json json_of_device(const device_traffic &d) {
    return json_object("from_host", d.from_host, "to_host", d.to_host, "from_devices", d.from_peers,
                       "to_devices", d.to_peers);
}

} // namespace

json::json(const std::string &from) : text("\"") {
    for (size_t i = 0; i < from.size(); i++) {
        const unsigned char c = (unsigned char)from[i];
        const char next = i + 1 < from.size() ? from[i + 1] : 0;
        if (c == '"' || c == '\\') {
            text += {'\\', (char)c};
        } else if (c < 32 || (c == '<' && (next == '/' || next == '!'))) {
            text += print("\\u%04x", c);
        } else {
            text += (char)c;
        }
    }
    text += '"';
}

/* Its members, without braces. */
static std::string json_of_kernel(const kernel_counts &k) {
    const traffic_by_kind global = k.global();
    return json_members(
        "kernel", k.name, "n", options.facts.n, "launches", k.launches, "blocks", k.blocks,
        "threads", k.threads, "loaded_by_a_launch",
        json_object("fewest", k.launches ? k.fewest_loaded : 0, "most", k.most_loaded), "global",
        json_object("load", json_of_global(global.load), "store", json_of_global(global.store),
                    "atomic", json_of_global(global.atomic), "by_matrix", json_of_matrices(k)),
        "shared",
        json_object("load", json_of_shared(k.shared.load), "store", json_of_shared(k.shared.store),
                    "atomic", json_of_shared(k.shared.atomic)),
        "variables",
        json_object("load_words", k.symbols.load.words, "store_words", k.symbols.store.words,
                    "atomic_words", k.symbols.atomic.words),
        "bulk",
        json_object("load_bytes", k.bulk_load_bytes, "store_bytes", k.bulk_store_bytes,
                    "operand_bytes", k.operand_bytes),
        "barriers", k.barriers, "model", json_of_model(k));
}

json json_of_kernels() {
    return json_list(counted().kernels, [](const kernel_counts &k) {
        return json::verbatim("{" + json_of_kernel(k) + "}");
    });
}

json json_of_fault(const fault &f) {
    return json_object("kind", f.kind, "file", f.at.file, "line", f.at.line, "kernel", f.kernel,
                       "block", f.block, "thread", f.thread, "address", f.address, "memory",
                       f.memory, "message", f.message, "other", f.other, "count", f.count);
}

void write_json(FILE *file, const kernel_counts &all) {
    std::string s = "{";
    const char *seal = nullptr;
    tell(&observer::report_written, &seal);
    if (seal) {
        s += json_members("seal", seal) + ", ";
        if (ftruncate(fileno(file), 0) == 0) /* whoever wrote there before */
            rewind(file);
    }
    if (options.facts.name)
        s += json_members("program", options.facts.name) + ", ";
    s += json_of_kernel(all) + ", " +
         json_members("faults", json_list(recorded_faults(), json_of_fault), "approximate",
                      counted().approximate, "devices",
                      json_list(counted().devices, json_of_device), "sampled", counted().sampled,
                      "observed_s", json::verbatim(print("%.2f", observed_seconds())),
                      "observed_MB", json::verbatim(print("%.0f", observed_megabytes())));
    if (counted().kernels.size() > 1)
        s += ", " + json_members("kernels", json_of_kernels());
    fprintf(file, "%s}\n", s.c_str());
    close_report(file, "JSON");
}

} // namespace cudacpu::inspect
