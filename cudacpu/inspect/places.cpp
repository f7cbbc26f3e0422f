/* places.cpp - from an address of code to its source, by addr2line; and what the source calls an
 * allocation. */
#include "places.h"
#include "runtime/host/symbolizer.h"
#include <algorithm>
#include <cctype>
#include <execinfo.h>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

/* By the linker: the image of the program, and the section that cpucc puts behind its text. */
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start, etext;
extern "C" __attribute__((weak)) char __stop_cudacpu_copies;

namespace cudacpu::inspect {

uintptr_t program_text, program_text_bytes;

void find_program_text() {
    program_text = (uintptr_t)&__ehdr_start;
    program_text_bytes =
        std::max((uintptr_t)&etext, (uintptr_t)&__stop_cudacpu_copies) - program_text;
    void *frame;
    backtrace(&frame, 1); /* loads the unwinder now */
}

place parse_place(const std::string &text) {
    const size_t colon = text.rfind(':');
    return colon == std::string::npos
               ? place(text, 0)
               : place(text.substr(0, colon), atoi(text.c_str() + colon + 1));
}

place place_of(uintptr_t return_address) {
    static std::mutex one;
    static auto &known = *new std::map<uintptr_t, place>(); /* the report comes after destructors */
    std::lock_guard<std::mutex> guard(one);
    auto found = known.find(return_address);
    if (found != known.end())
        return found->second;
    static const auto &asked = *new addr2line(); /* it ends with this process */
    return known[return_address] = parse_place(asked.ask((void *)return_address, true));
}

place find_caller(uintptr_t *return_address) {
    void *frames[16];
    int count = backtrace(frames, 16);
    for (int i = 1; i < count; i++) {
        const uintptr_t address = (uintptr_t)frames[i];
        if (address - program_text >= program_text_bytes)
            continue;
        if (return_address)
            *return_address = address;
        place p = place_of(address);
        if (p.line)
            return p;
    }
    return {};
}

std::string text_at(const place &p) {
    std::ifstream file(p.file);
    std::string text;
    for (int i = 0; i < p.line && std::getline(file, text); i++)
        continue;
    return text.substr(0, text.find_last_not_of(" \t\r\f\v") + 1);
}

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
        if (line[i] == ')' || (line[i] == '*' && i + 1 < line.size() && line[i + 1] == ')'))
            name.clear(); /* a cast: (void **) */
        else if (line[i] != '&' && line[i] != ' ')
            name += line[i];
    while (!name.empty() && !is_word(name[0]))
        name.erase(0, 1);
    return name;
}

/* Which of the calls on its line is it, in the order in which they came? */
unsigned number_on_line(const place &p, uintptr_t return_address) {
    static auto &calls_on_line = *new std::map<place, std::vector<uintptr_t>>();
    auto &calls = calls_on_line[p];
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
        name = p.line ? text(p) : "an allocation";
    return name;
}

} // namespace cudacpu::inspect
