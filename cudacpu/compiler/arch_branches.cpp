/* arch_branches.cpp - the preprocessor has taken the branches: the lines of the sources tell of
 * them, and the tokens where functions for host and device begin and end. */
#include "arch_branches.h"
#include "tokens.h"
#include <fstream>
#include <iostream>
#include <map>
#include <set>

namespace {

const size_t MOST = 10; /* warnings */

typedef std::map<std::string, std::set<std::pair<long, long>>> line_ranges;

/* Lines of the bodies of such functions, by their files. */
line_ranges find_bodies() {
    line_ranges all;
    for (size_t i = 0; i < tokens.size(); i++) {
        if (!is(i, "__host__"))
            continue;
        size_t open = i, begin = find_begin(i);
        while (open < tokens.size() && !is(open, "{") && !is(open, ";"))
            open = is(open, "(") ? match(open, "(", ")") + 1 : open + 1;
        if (!is(open, "{") || !has_word(begin, open, "__device__"))
            continue;
        const place first = find_place(tokens[open].begin),
                    last = find_place(tokens[match(open, "{", "}")].begin);
        if (!first.in_system_header && first.file == last.file)
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

std::vector<long> find_directives(const std::string &file) {
    std::vector<long> found;
    std::ifstream source(file);
    std::string line, more;
    for (long number = 1, first; std::getline(source, line); number++) {
        for (first = number; !line.empty() && line.back() == '\\' && std::getline(source, more);
             number++)
            line.replace(line.size() - 1, 1, more);
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
                std::cerr << file << ":" << line
                          << ": warning: __CUDA_ARCH__ in a __host__ __device__ function: cudacpu "
                             "compiles it once, so host code gets the device's branch, too\n";
        }
    if (count > MOST)
        std::cerr << "cpucc: " << count - MOST << " more places have such a __CUDA_ARCH__\n";
}
