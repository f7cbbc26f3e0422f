/* html_report.cpp - the page of --html: the recorded steps as JSON, the player that shows them
 * (html_report/), and a table for a reader without scripts. */
#include "faults.h"
#include "recording.h"
#include "reports.h"
#include "runtime/host/symbols.h"
#include <algorithm>
#include <fstream>
#include <set>

/* The files of html_report/ are part of this program: a page needs nothing else. */
asm(".pushsection .rodata\n"
    "cudacpu_page_css: .incbin \"inspect/html_report/player.css\"\n.byte 0\n"
    "cudacpu_page_js: .incbin \"inspect/html_report/steps.js\"\n"
    ".incbin \"inspect/html_report/sentences.js\"\n"
    ".incbin \"inspect/html_report/draw.js\"\n"
    ".incbin \"inspect/html_report/player.js\"\n.byte 0\n"
    ".popsection\n");
extern "C" const char cudacpu_page_css[], cudacpu_page_js[];

namespace cudacpu::inspect {
namespace {

const size_t MOST_STEP_BYTES = 1200000;      /* of steps, in a page: it is to stay below 1.5 MB */
const size_t MOST_SOURCE_BYTES = 100 * 1024; /* of each file */

json triple(dim3 d) { return json::verbatim(text("[", d.x, ",", d.y, ",", d.z, "]")); }

json json_of_memory(const recorded_memory &m) {
    std::vector<thread_variable> variables; /* static shared memory: which one lies where */
    for (int64_t at = m.lowest; m.what == SHARED && !m.before && at <= m.highest;) {
        const thread_variable v = find_thread_variable((size_t)at);
        if (v.bytes)
            variables.push_back(v);
        at = v.bytes ? (int64_t)(v.offset + v.bytes) : at + 4;
    }
    return json_object(
        "name", m.name, "shared", m.what == SHARED, "bytes", m.bytes, "pitch", m.pitch, "width",
        m.width, "element", m.element, "bank", (m.base - m.before) / 4 % 32, "lowest", m.lowest,
        "highest", m.highest, "variables", json_list(variables, [](const thread_variable &v) {
            return json::verbatim(text("[", json(v.name).text, ",", v.offset, ",", v.bytes, "]"));
        }));
}

std::string list_numbers(const std::vector<int64_t> &numbers) {
    const auto itself = [](int64_t n) { return n; };
    return json_list(numbers, itself, ",").text;
}

/* The offsets of 32 lanes often rise by one step: [mask, step]; else [mask, [offsets]]. */
json json_of_pattern(const lane_pattern &p) {
    const std::vector<int64_t> &offset = p.second;
    const int64_t step = offset.size() > 1 ? offset[1] : 0;
    bool even = true;
    for (size_t i = 0; i < offset.size(); i++)
        even = even && offset[i] == step * (int64_t)i;
    return json::verbatim(
        text("[", p.first, ",", even ? json(step).text : list_numbers(offset), "]"));
}

/* [place, pattern, memory, offset, cost, extra, moment, numbers... or text], without zeros at the
 * end. */
std::string json_of_step(const recorded_step &s) {
    std::vector<int64_t> all = {s.place, s.pattern, (int32_t)s.memory, s.offset,
                                s.cost,  s.extra,   s.moment};
    all.insert(all.end(), s.numbers.begin(), s.numbers.end());
    while (all.back() == 0)
        all.pop_back();
    if (!s.text.empty())
        all.resize(7);
    std::string list = list_numbers(all);
    if (!s.text.empty())
        list.insert(list.size() - 1, "," + json(s.text).text);
    return list;
}

json json_of_recording(const recording &r, size_t most_bytes) {
    std::string warps;
    for (unsigned warp = 0; warp < r.warps; warp++) {
        std::string steps;
        bool cut = r.cut[warp];
        for (const recorded_step &s : r.steps[warp]) {
            const std::string step = json_of_step(s);
            if (steps.size() + step.size() > most_bytes / r.warps) {
                cut = true;
                break;
            }
            steps += (steps.empty() ? "" : ",") + step;
        }
        warps += (warp ? "," : "") +
                 json_object("cut", cut, "steps", json::verbatim("[" + steps + "]")).text;
    }
    const auto json_of_place = [](const step_place &p) {
        return json::verbatim(text("[", json(p.kind).text, ",", json(p.at.file).text, ",",
                                   p.at.line, ",", p.size, "]"));
    };
    return json_object(
        "kernel", r.kernel, "launch", r.launch, "grid", triple(r.grid), "dimensions",
        triple(r.dimensions), "block", r.block, "places", json_list(r.places, json_of_place, ","),
        "patterns", json_list(r.patterns, json_of_pattern, ","), "memories",
        json_list(r.memories, json_of_memory, ","), "warps", json::verbatim("[" + warps + "]"));
}

std::string text_of_file(const std::string &path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {}).substr(0, MOST_SOURCE_BYTES);
}

std::string escaped(const std::string &text) {
    std::string s;
    for (char c : text)
        s += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return s;
}

std::string name_memory(const recorded_memory &m, int64_t offset) {
    const bool is_static = m.what == SHARED && !m.before;
    const thread_variable v = is_static ? find_thread_variable((size_t)offset) : thread_variable();
    return v.bytes ? v.name : m.name;
}

/* Without scripts: what the first warp asks of memory at first, a row for each request. */
std::string table_of(const recording &r) {
    std::string rows;
    unsigned left = 12;
    for (const recorded_step &s : r.steps[0]) {
        const step_place &p = r.places[s.place];
        if (!p.size || s.memory == UINT32_MAX)
            continue;
        if (!left--)
            break;
        const lane_pattern &lanes = r.patterns[s.pattern];
        rows += text("<tr><td>", p.at.line, "<td><code>", escaped(text_at(p.at)), "</code><td>",
                     p.kind, "<td>", escaped(name_memory(r.memories[s.memory], s.offset)), "<td>",
                     lanes.second.size(), "<td>", s.offset, " to ", s.offset + lanes.second.back(),
                     "<td>", s.cost, "\n");
    }
    std::string faults;
    for (const fault &f : recorded_faults())
        faults += text("<p class=\"fault\">", escaped(f.kind), ", ", escaped(text(f.at)), ": ",
                       escaped(f.message), "</p>\n");
    return text(
        "<p>What warp 0 of block ", r.block, " of ", escaped(r.kernel),
        " asks of memory at first. The player needs scripts.</p>\n<table>\n<tr><th>line"
        "<th>source<th>what<th>memory<th>lanes<th>bytes, first and last lane<th>sectors, or "
        "wavefronts\n",
        rows, "</table>\n", faults);
}

/* The recording that a reader wants first: with a fault, else with the most steps. */
size_t choose_first(const std::vector<recording *> &all) {
    size_t best = 0, most = 0;
    for (size_t i = 0; i < all.size(); i++) {
        size_t steps = all[i]->faulty ? SIZE_MAX / 2 : 0;
        for (auto &warp : all[i]->steps)
            steps += warp.size();
        if (steps > most)
            best = i, most = steps;
    }
    return best;
}

} // namespace

void write_html(FILE *file) {
    const std::vector<recording *> &all = kept_recordings();
    std::set<std::string> paths;
    for (const recording *r : all)
        for (const step_place &p : r->places)
            if (p.at.line)
                paths.insert(p.at.file);
    std::string sources;
    for (const std::string &path : paths)
        sources += (sources.empty() ? "" : ", ") + json_members(path.c_str(), text_of_file(path));
    const inspect_facts &facts = options.facts;
    const std::string name = facts.name ? facts.name : program_invocation_short_name;
    const auto json_of = [&](size_t most_bytes) {
        return json_list(
            all, [&](const recording *r) { return json_of_recording(*r, most_bytes); }, ",");
    };
    json recordings = json_of(MOST_STEP_BYTES);
    if (recordings.text.size() > MOST_STEP_BYTES)
        recordings = json_of(MOST_STEP_BYTES / all.size());
    const json trace = json_object("program", name, "n", facts.n, "first", choose_first(all),
                                   "sources", json::verbatim("{" + sources + "}"), "faults",
                                   json_list(recorded_faults(), json_of_fault), "kernels",
                                   json_of_kernels(), "recordings", recordings);
    const std::string size = facts.n ? text(", n = ", facts.n) : "";
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>%s%s</title>\n<style>\n%s</style>\n<h1>%s%s</h1>\n"
            "<main id=\"player\"></main>\n<noscript>\n%s</noscript>\n"
            "<script type=\"application/json\" id=\"trace\">\n%s\n</script>\n"
            "<script>\n%s</script>\n</html>\n",
            escaped(name).c_str(), size.c_str(), cudacpu_page_css, escaped(name).c_str(),
            size.c_str(),
            all.empty() ? "<p>No kernel ran.</p>" : table_of(*all[choose_first(all)]).c_str(),
            trace.text.c_str(), cudacpu_page_js);
    close_report(file, "HTML");
}

} // namespace cudacpu::inspect
