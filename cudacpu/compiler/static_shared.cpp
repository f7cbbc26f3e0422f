/* static_shared.cpp - the static shared memory of kernels, from the compiler's assembly. __shared__
 * variables are thread-local ones; what a kernel takes are those that it, or a function that it
 * calls, names. A kernel is known by the instruction before it, which patchable_function_entry(1,
 * 1) puts there: it is left out again. */
#include "passes.h"
#include "tokens.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

const size_t LIMIT = 48 << 10; /* as ptxas has it */

std::map<std::string_view, size_t> thread_variables; /* their bytes */
struct compiled_function {
    std::vector<std::string_view> names; /* that its instructions use */
    bool is_kernel = false;
};
std::map<std::string_view, compiled_function> compiled;

bool is_in_name(char c) {
    return std::isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || (c & 0x80);
}
std::string_view trim(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.substr(0, line.find_last_not_of(" \t") + 1);
}
bool begins(std::string_view line, std::string_view with) {
    return line.substr(0, with.size()) == with;
}
std::string_view read_name(std::string_view line) {
    size_t end = 0;
    while (end < line.size() && is_in_name(line[end]))
        end++;
    return line.substr(0, end);
}

/* Longer names than those of registers and mnemonics: C's names of one letter are rare enough. */
void note_names(std::string_view line, std::vector<std::string_view> *names) {
    for (size_t i = 0; i < line.size(); i++) {
        const std::string_view name = read_name(line.substr(i));
        if (name.empty())
            continue;
        if (name.front() > '9' && (i == 0 || line[i - 1] != '%') &&
            (names->empty() || names->back() != name))
            names->push_back(name);
        i += name.size();
    }
}

/* A section of thread-local variables? .section .tbss,"awT",@nobits */
bool is_of_thread(std::string_view section) {
    const size_t flags = section.find('"'), end = section.find('"', flags + 1);
    return begins(section, ".tbss") || begins(section, ".tdata") ||
           (end != std::string_view::npos &&
            section.substr(flags, end - flags).find('T') != std::string_view::npos);
}

/* Reads a line after the other. */
class reader {
    bool of_thread = false, in_entries = false, label = false, marked = false;
    compiled_function *inside = nullptr;

  public:
    /* Does the line belong to the program? */
    bool read(std::string_view whole) {
        const std::string_view line = trim(whole), name = read_name(line),
                               rest = trim(line.substr(name.size())), symbol = read_name(rest);
        const bool after_label = label;
        label = false;
        if (begins(line, ".section") || line == ".text" || line == ".data" || line == ".bss") {
            of_thread = name == ".section" && is_of_thread(rest);
            in_entries = begins(rest, "__patchable_function_entries");
            return !in_entries;
        }
        if (in_entries)
            return false;
        if (!name.empty() && begins(rest, ":")) {
            const auto function = compiled.find(name);
            label = begins(name, ".L");
            if (function != compiled.end()) {
                inside = &function->second;
                inside->is_kernel |= marked;
                marked = false;
            }
        } else if (line == "nop" && after_label && !inside) {
            marked = true;
            return false;
        } else if (name == ".type") {
            if (line.find("function", line.find(',')) != std::string_view::npos)
                compiled[symbol];
        } else if (name == ".size") {
            if (of_thread)
                thread_variables[symbol] =
                    std::strtoul(std::string(line.substr(line.find(',') + 1)).c_str(), nullptr, 0);
            inside = nullptr;
        } else if (name == ".set" || name == ".equ") {
            note_names(line.substr(line.find(',') + 1), &compiled[symbol].names);
        } else if (inside && name.size() > 0 && name.front() != '.') {
            note_names(rest, &inside->names);
        }
        return true;
    }
};

/* Those that the function names, or one that it calls. */
std::set<std::string_view> find_variables(std::string_view function) {
    std::set<std::string_view> variables, visited;
    std::vector<std::string_view> left = {function};
    while (!left.empty()) {
        const std::string_view name = left.back();
        left.pop_back();
        if (thread_variables.count(name))
            variables.insert(name);
        const auto found = compiled.find(name);
        if (found != compiled.end() && visited.insert(name).second)
            left.insert(left.end(), found->second.names.begin(), found->second.names.end());
    }
    return variables;
}

std::string demangle(std::string_view name) {
    int status;
    char *plain = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
    const std::string text = plain ? plain : std::string(name);
    free(plain);
    return text;
}

} // namespace

bool write_kernel_table(const char *source, bool tells_offset) {
    const std::string all = read_all(stdin);
    std::string out;
    reader lines;
    for (size_t i = 0, end; i < all.size(); i = end + 1) {
        end = std::min(all.find('\n', i), all.size());
        const std::string_view line = std::string_view(all).substr(i, end - i);
        if (lines.read(line))
            (out += line) += '\n';
    }
    bool fits = true;
    std::string table;
    for (const auto &[name, function] : compiled) {
        if (!function.is_kernel)
            continue;
        const std::set<std::string_view> variables = find_variables(name);
        size_t bytes = 0;
        for (const std::string_view variable : variables)
            bytes += thread_variables[variable];
        if (bytes > LIMIT) {
            std::fprintf(stderr,
                         "cpucc: %s: %s uses %zu bytes of static shared memory; the limit is %zu\n",
                         source, demangle(name).c_str(), bytes, LIMIT);
            fits = false;
        }
        for (const std::string_view variable : variables)
            table += "\t.8byte\t" + std::string(name) + ", " + std::to_string(bytes) + ", " +
                     (tells_offset ? std::string(variable) + "@DTPOFF\n" : "0\n");
    }
    if (!table.empty())
        out += "\t.section\tcudacpu_kernels,\"aw\"\n\t.p2align\t3\n" + table;
    return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() && fits;
}
