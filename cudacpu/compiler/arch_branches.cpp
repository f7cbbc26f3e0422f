/* arch_branches.cpp - warns of #if with __CUDA_ARCH__ in a function for host and device, in the
 * program's own files: the source is compiled once, as the device's, and host code that calls such
 * a function gets the device's branch. The preprocessor has taken the branches: the lines of the
 * sources tell of them, and the tokens where those functions begin and end. */
#include "passes.h"
#include "tokens.h"
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

namespace {

const size_t MOST = 10; /* warnings */

typedef std::map<std::string, std::set<std::pair<long, long>>> line_ranges;

/* Lines of the bodies of such functions, by their files. */
line_ranges find_bodies() {
    line_ranges all;
    for (const size_t i : occurrences("__host__")) {
        if (!is_own(i))
            continue;
        const size_t open = find_outside({"{", ";"}, i);
        if (!is(open, "{") || !has_word(find_begin(i), open, {"__device__"}))
            continue;
        const place first = find_place(open), last = find_place(match(open));
        if (first.file == last.file)
            all[first.file].insert({first.line, last.line});
    }
    return all;
}

/* #if, #ifdef, #ifndef or #elif with __CUDA_ARCH__ */
bool asks_for_arch(const std::string &line) {
    size_t i = line.find_first_not_of(" \t");
    if (i == std::string::npos || line[i] != '#')
        return false;
    i = line.find_first_not_of(" \t", i + 1);
    return i != std::string::npos &&
           (line.compare(i, 2, "if") == 0 || line.compare(i, 4, "elif") == 0) &&
           line.find("__CUDA_ARCH__") != std::string::npos;
}

/* The lines of the file with such directives. */
std::vector<long> find_directives(const std::string &name) {
    std::vector<long> found;
    std::ifstream file(name);
    std::string line, next;
    for (long number = 1; std::getline(file, line); number++) {
        const long first = number;
        for (next = line; !next.empty() && next.back() == '\\' && std::getline(file, next);
             number++)
            line += next;
        if (asks_for_arch(line))
            found.push_back(first);
    }
    return found;
}

} // namespace

void warn_of_arch_branches() {
    size_t count = 0;
    for (const auto &[file, bodies] : find_bodies())
        for (const long line : find_directives(file)) {
            bool inside = false;
            for (const auto &[first, last] : bodies)
                inside = inside || (first <= line && line <= last);
            if (inside && ++count <= MOST)
                std::fprintf(stderr,
                             "%s:%ld: warning: __CUDA_ARCH__ in a __host__ __device__ function: "
                             "cudacpu compiles it once, so host code gets the device's branch, "
                             "too\n",
                             file.c_str(), line);
        }
    if (count > MOST)
        std::fprintf(stderr, "cpucc: %zu more places have such a __CUDA_ARCH__\n", count - MOST);
}
