/* places.h - from an address of code to its source: file, line and text. */
#ifndef CUDACPU_INSPECT_PLACES_H
#define CUDACPU_INSPECT_PLACES_H
#include "cudacpu/site.h"
#include "runtime/host/text.h"
#include <cstdint>
#include <string>
#include <tuple>

namespace cudacpu::inspect {

using cudacpu::text;

struct place {
    std::string file;
    int line = 0; /* 0: not known */
    place() = default;
    place(const std::string &file, int line) : file(file), line(line) {}
    place(const site *where) : file(where->file), line(where->line) {}
    bool operator==(const place &p) const { return line == p.line && file == p.file; }
    bool operator<(const place &p) const { return std::tie(file, line) < std::tie(p.file, p.line); }
};

/* Of "FILE:LINE". */
place parse_place(const std::string &text);

/* The program's own code: what lies outside is not observed. */
extern __attribute__((visibility("hidden"))) uintptr_t program_text, program_text_bytes;
/* Sets them, once, before main. */
void find_program_text();

/* Of the call that returns there; {"", 0} where it is not known. Each address is looked up once. */
place place_of(uintptr_t return_address);
/* The first frame of the caller's stack in the program's code outside cudacpu; its return address
 * too. */
place find_caller(uintptr_t *return_address = nullptr);
/* The source line, "" when it cannot be read. */
std::string text_at(const place &p);

/* The name of what cudaMalloc (or one of its kin) allocates at p, in the call that returns to
 * return_address: the variable, device_a in cudaMalloc(&device_a, bytes), or else the place. */
std::string name_allocation(const place &p, uintptr_t return_address);

} // namespace cudacpu::inspect
#endif
