/* symbols.cpp - static shared memory, which cpucc's table of kernels tells, and names of variables,
 * which the program's own symbol table does. A kernel's __shared__ variables are thread-local
 * statics of its function: _Z1kPi is a kernel, _ZZ1kPiE4tile a variable of it. */
#include "symbols.h"
#include "process.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <link.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cudacpu {
namespace {

std::vector<char> read_program_file() {
    std::vector<char> bytes;
    if (FILE *file = fopen(program_file(), "rb")) {
        char part[65536];
        for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
            bytes.insert(bytes.end(), part, part + got);
        fclose(file);
    }
    return bytes;
}

/* The program's symbol table; count 0: it has none. */
struct symbol_table {
    const ElfW(Sym) *symbols = nullptr;
    size_t count = 0;
    const char *names = nullptr;
};

symbol_table read_symbols() {
    static const auto &bytes = *new std::vector<char>(read_program_file());
    symbol_table table;
    if (bytes.size() <= sizeof(ElfW(Ehdr)))
        return table;
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)bytes.data();
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(bytes.data() + head->e_shoff);
    for (int i = 0; head->e_shoff && i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            table = {(const ElfW(Sym) *)(bytes.data() + sections[i].sh_offset),
                     sections[i].sh_size / sizeof(ElfW(Sym)),
                     bytes.data() + sections[sections[i].sh_link].sh_offset};
    return table;
}

/* A thread-local variable that a kernel, or a function that it calls, names, as cpucc tells
 * (compiler/static_shared.cpp); of all such the bytes. */
struct kernel_variable {
    const void *kernel;
    size_t bytes, offset;
};
extern "C" __attribute__((weak, visibility("hidden")))
const kernel_variable __start_cudacpu_kernels[],
    __stop_cudacpu_kernels[];

struct statics {
    size_t bytes, first;
};
statics look_up(const void *function) {
    static auto &known = *new std::map<const void *, statics>(); /* kernels may run at exit */
    static std::mutex one; /* not the runtime's: that is the launch's, and its threads ask too */
    std::lock_guard<std::mutex> guard(one);
    const auto found = known.find(function);
    if (found != known.end())
        return found->second;
    statics all = {0, SIZE_MAX};
    for (auto v = __start_cudacpu_kernels; v < __stop_cudacpu_kernels; v++)
        if (v->kernel == function)
            all = {v->bytes, std::min(all.first, v->offset)};
    return known[function] = {all.bytes, all.bytes ? all.first : 0};
}

/* tile, of _ZZ1kPiE4tile and of _ZZ1kPiE4tile_0: the last name that says its own length; table, of
 * table (extern "C", or of no namespace) and of _ZL5table. */
std::string source_name(const std::string &symbol) {
    for (size_t i = symbol.compare(0, 2, "_Z") == 0 ? symbol.size() : 0; i-- > 0;)
        if (std::isdigit((unsigned char)symbol[i]) && symbol[i] != '0' &&
            (i == 0 || !std::isdigit((unsigned char)symbol[i - 1]))) {
            const size_t length = std::stoul(symbol.substr(i));
            const size_t begin = i + std::to_string(length).size();
            if (begin + length <= symbol.size() && !std::isdigit((unsigned char)symbol[begin]))
                return symbol.substr(begin, length);
        }
    return symbol;
}

} // namespace

size_t static_shared(const void *function) { return function ? look_up(function).bytes : 0; }
size_t first_static(const void *function) { return function ? look_up(function).first : 0; }

thread_variable find_thread_variable(size_t offset) {
    const symbol_table table = read_symbols();
    for (size_t i = 0; i < table.count; i++) {
        const ElfW(Sym) &s = table.symbols[i];
        if (ELF64_ST_TYPE(s.st_info) == STT_TLS && offset - s.st_value < s.st_size)
            return {source_name(table.names + s.st_name), s.st_value, s.st_size};
    }
    return {"", 0, 0};
}

std::vector<thread_symbol> read_thread_symbols() {
    const symbol_table table = read_symbols();
    std::vector<thread_symbol> all;
    for (const ElfW(Sym) *s = table.symbols; s < table.symbols + table.count; s++)
        if (ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_shndx != SHN_UNDEF && s->st_size) {
            const std::string symbol = table.names + s->st_name;
            all.push_back({{source_name(symbol), s->st_value, s->st_size}, symbol});
        }
    std::sort(all.begin(), all.end(), [](const thread_symbol &a, const thread_symbol &b) {
        return a.what.offset < b.what.offset;
    });
    return all;
}

std::string find_prefix_of_statics(const void *function) {
    const symbol_table table = read_symbols();
    const uintptr_t address = (uintptr_t)function - program_base();
    for (const ElfW(Sym) *s = table.symbols; function && s < table.symbols + table.count; s++)
        if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_value == address) {
            const std::string name = table.names + s->st_name;
            const bool in_c = name.compare(0, 2, "_Z") != 0;
            return text("_Z", in_c ? text("Z", name.size(), name) : name.substr(1), "E");
        }
    return "";
}

program_variable find_program_variable(const void *address) {
    if (!in_program(address, 1))
        return {"", 0, 0};
    const symbol_table table = read_symbols();
    const uintptr_t base = program_base(), offset = (uintptr_t)address - base;
    const ElfW(Sym) *found = nullptr; /* of several names for one place, the longest */
    for (const ElfW(Sym) *s = table.symbols; s < table.symbols + table.count; s++)
        if (ELF64_ST_TYPE(s->st_info) == STT_OBJECT && s->st_shndx != SHN_UNDEF &&
            offset - s->st_value < s->st_size && (!found || s->st_size > found->st_size))
            found = s;
    if (!found)
        return {"", 0, 0};
    return {source_name(table.names + found->st_name), base + found->st_value, found->st_size};
}

} // namespace cudacpu
