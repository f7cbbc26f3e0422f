/* names.cpp - reads an allocation's name from the source: device_a in
 * cudaMalloc(&device_a, bytes). */
#include "names.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace cudacpu::inspect {
namespace {

bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where the next call that allocates or registers memory begins. */
size_t find_call(const std::string &line, size_t from) {
    size_t call = std::string::npos;
    for (const char *function : {"cudaMalloc", "cudaHostAlloc", "cudaHostRegister"})
        call = std::min(call, line.find(function, from));
    return call;
}

/* The variable that the nth such call of a source line sets; "" when there is none. */
std::string identifier_in(const std::string &line, unsigned nth) {
    size_t call = find_call(line, 0);
    while (nth-- && call != std::string::npos)
        call = find_call(line, call + 1);
    size_t from = call == std::string::npos ? call : line.find('(', call);
    if (from == std::string::npos)
        return "";
    std::string name;
    for (size_t i = from + 1; i < line.size() && line[i] != ','; i++)
        if (is_word(line[i]))
            name += line[i];
        else if (line[i] == ')' || (line[i] == '*' && i + 1 < line.size() && line[i + 1] == ')'))
            name.clear(); /* a cast: (void **) */
        else if (line[i] != '&' && line[i] != ' ')
            name += line[i];
    while (!name.empty() && !is_word(name[0]))
        name.erase(0, 1);
    return name;
}

/* Which of the calls on its line is it, in the order in which they came? */
unsigned number_on_line(const place &p, uintptr_t return_address) {
    static auto &calls_on_line =
        *new std::map<std::pair<std::string, int>, std::vector<uintptr_t>>();
    auto &calls = calls_on_line[{p.file, p.line}];
    auto found = std::find(calls.begin(), calls.end(), return_address);
    const unsigned number = (unsigned)(found - calls.begin());
    if (found == calls.end())
        calls.push_back(return_address);
    return number;
}

} // namespace

std::string name_allocation(const place &p, uintptr_t return_address) {
    const unsigned nth = number_on_line(p, return_address);
    std::string name;
    for (int back = 0; back < 3 && name.empty(); back++) /* a call may have several lines */
        name = identifier_in(text_at({p.file, p.line - back}), back ? 0 : nth);
    if (name.empty())
        name = p.line ? p.file + ":" + std::to_string(p.line) : "an allocation";
    return name;
}

} // namespace cudacpu::inspect
