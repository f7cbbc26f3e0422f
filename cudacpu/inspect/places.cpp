/* places.cpp - from an address of code to its source, by addr2line. */
#include "places.h"
#include "runtime/host/symbolizer.h"
#include <algorithm>
#include <cctype>
#include <execinfo.h>
#include <map>
#include <mutex>

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

place place_of(uintptr_t return_address) {
    static std::mutex one;
    static auto &known = *new std::map<uintptr_t, place>(); /* the report comes after destructors */
    std::lock_guard<std::mutex> guard(one);
    auto found = known.find(return_address);
    if (found != known.end())
        return found->second;
    static pid_t child;
    static const int addr2line = start_addr2line(&child); /* it ends with this process */
    char text[4200];
    ask_addr2line(addr2line, (void *)return_address, true, text, sizeof text);
    place p = {text, 0};
    size_t colon = p.file.rfind(':');
    if (colon != std::string::npos) {
        p.line = atoi(p.file.c_str() + colon + 1);
        p.file.resize(colon);
    }
    return known[return_address] = p;
}

place find_caller(uintptr_t *return_address) {
    void *frames[16];
    int count = backtrace(frames, 16);
    for (int i = 1; i < count; i++) {
        *return_address = (uintptr_t)frames[i];
        if (*return_address - program_text >= program_text_bytes)
            continue;
        place p = place_of(*return_address);
        if (p.line)
            return p;
    }
    return {"", 0};
}

std::string text_at(const place &p) {
    FILE *file = p.line > 0 ? fopen(p.file.c_str(), "r") : nullptr;
    char *line = nullptr;
    size_t room = 0;
    std::string text;
    for (int i = 0; file && i < p.line && getline(&line, &room, file) >= 0; i++)
        text = line;
    free(line);
    if (file)
        fclose(file);
    while (!text.empty() && isspace((unsigned char)text.back()))
        text.pop_back();
    return text;
}

} // namespace cudacpu::inspect
