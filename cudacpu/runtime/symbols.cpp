/* symbols.cpp - static shared memory. A kernel's __shared__ variables are thread-local statics of
 * its function: the program's own symbol table tells their sizes. _Z1kPi is a kernel, _ZZ1kPiE4tile
 * a variable of it. */
#include "symbols.h"
#include "program.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
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

/* The beginning of the names of a function's statics. */
std::string prefix_of_statics(const std::string &function) {
    if (function.compare(0, 2, "_Z") == 0)
        return "_Z" + function.substr(1) + "E";
    return "_ZZ" + std::to_string(function.size()) + function + "E"; /* extern "C" */
}

/* The thread-local variables of a function. */
struct statics {
    size_t bytes, first;
};

/* Two files may each have a static kernel of this name. Their symbols follow the name of their
 * file, so the group of symbols between two file names is what belongs together. */
statics find_statics(const ElfW(Sym) * symbols, size_t count, const char *names,
                     uintptr_t address) {
    statics all = {0, SIZE_MAX};
    size_t group = 0, found = 0;
    bool local = false;
    std::string prefix;
    for (size_t i = 0; i < count && prefix.empty(); i++) {
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FILE)
            group++;
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_value == address) {
            prefix = prefix_of_statics(names + symbols[i].st_name);
            found = group;
            local = ELF64_ST_BIND(symbols[i].st_info) == STB_LOCAL;
        }
    }
    group = 0;
    for (size_t i = 0; i < count && !prefix.empty(); i++) {
        group += ELF64_ST_TYPE(symbols[i].st_info) == STT_FILE;
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS && (!local || group == found) &&
            strncmp(names + symbols[i].st_name, prefix.c_str(), prefix.size()) == 0) {
            all.bytes += symbols[i].st_size;
            all.first = std::min(all.first, (size_t)symbols[i].st_value);
        }
    }
    return {all.bytes, all.bytes ? all.first : 0};
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

statics look_up(const void *function) {
    static auto &known = *new std::map<const void *, statics>(); /* kernels may run at exit */
    static std::mutex one; /* not the runtime's: that is the launch's, and its threads ask too */
    std::lock_guard<std::mutex> guard(one);
    auto found = known.find(function);
    if (found != known.end())
        return found->second;
    const symbol_table table = read_symbols();
    return known[function] = find_statics(table.symbols, table.count, table.names,
                                          (uintptr_t)function - program_base());
}

/* tile, of _ZZ1kPiE4tile and of _ZZ1kPiE4tile_0: the last name that says its own length. */
std::string source_name(const std::string &symbol) {
    for (size_t i = symbol.size(); i-- > 0;)
        if (std::isdigit((unsigned char)symbol[i]) && symbol[i] != '0' &&
            (i == 0 || !std::isdigit((unsigned char)symbol[i - 1]))) {
            const size_t length = std::stoul(symbol.substr(i));
            const size_t begin = i + std::to_string(length).size();
            if (begin + length <= symbol.size() && !std::isdigit((unsigned char)symbol[begin]))
                return symbol.substr(begin, length);
        }
    return symbol;
}
/* The same of any variable: table, of table (extern "C", or of no namespace) and of _ZL5table. */
std::string name_of_variable(const std::string &symbol) {
    return symbol.compare(0, 2, "_Z") == 0 ? source_name(symbol) : symbol;
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
        if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_value == address)
            return prefix_of_statics(table.names + s->st_name);
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
    return {name_of_variable(table.names + found->st_name), base + found->st_value, found->st_size};
}

} // namespace cudacpu
