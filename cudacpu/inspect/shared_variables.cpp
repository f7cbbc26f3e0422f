/* shared_variables.cpp - tells __shared__ variables by the names in the symbol table. One of a
 * kernel that has never been launched is taken for that of a function, which any kernel may call.
 */
#include "shared_variables.h"
#include "cuda_runtime.h"
#include "observer.h"
#include "places.h"
#include "runtime/host/symbols.h"
#include "runtime/host/text.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace cudacpu::inspect {
namespace {

enum user { KERNELS_OWN, ANY_KERNEL, OTHER_KERNEL, RUNTIME };

struct variable {
    thread_variable what;
    std::string symbol;
    user whose;
};
auto &variables = *new std::vector<variable>(); /* by offset; kernels may run at exit */
auto &ranges = *new std::vector<shared_range>();
auto &prefixes = *new std::map<const void *, std::string>(); /* of kernels that were launched */

/* _ZN7cudacpu4selfE, _ZZN7cudacpu1fEvE1x, _ZGVZN7..., cudacpu_current */
bool is_runtimes(const std::string &symbol) {
    if (symbol.compare(0, 8, "cudacpu_") == 0)
        return true;
    size_t i = symbol.compare(0, 5, "_ZGVZ") == 0 ? 4 : 1;
    while (i < symbol.size() && (symbol[i] == 'Z' || symbol[i] == 'N' || symbol[i] == 'K'))
        i++;
    return symbol.compare(0, 2, "_Z") == 0 && symbol.compare(i, 8, "7cudacpu") == 0;
}

bool begins_with(const std::string &text, const std::string &prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

/* _ZGVZ1kPiE1x: has x been constructed? The compiler asks, no line of the source does. */
bool is_guards(const std::string &symbol) { return begins_with(symbol, "_ZGV"); }

user find_user(const std::string &symbol, const std::string &own) {
    if (is_runtimes(symbol) || is_guards(symbol))
        return RUNTIME;
    if (!own.empty() && begins_with(symbol, own))
        return KERNELS_OWN;
    for (const auto &entry : prefixes)
        if (!own.empty() && !entry.second.empty() && begins_with(symbol, entry.second))
            return OTHER_KERNEL;
    return ANY_KERNEL;
}

void join_ranges() {
    ranges.clear();
    bool joined = false;
    for (const variable &v : variables) {
        const bool is_allowed = v.whose == KERNELS_OWN || v.whose == ANY_KERNEL;
        if (is_allowed && !joined)
            ranges.push_back({v.what.offset, 0});
        if (is_allowed)
            ranges.back().bytes = v.what.offset + v.what.bytes - ranges.back().begin;
        joined = is_allowed;
    }
}

/* The variable at offset that is not the runtime's; NULL: there is none. */
const variable *find_variable(size_t offset) {
    for (const variable &v : variables)
        if (v.whose != RUNTIME && offset - v.what.offset < v.what.bytes)
            return &v;
    return nullptr;
}

class shared_variable_events : public observer {
    void launch_begins(const kernel &k, dim3, dim3) override {
        static const void *last;
        static size_t launched;
        if (variables.empty())
            for (const thread_symbol &s : read_thread_symbols())
                variables.push_back({s.what, s.symbol, ANY_KERNEL});
        auto found = prefixes.find(k.address);
        if (found == prefixes.end())
            found = prefixes.emplace(k.address, find_prefix_of_statics(k.address)).first;
        if (k.address == last && launched == prefixes.size())
            return;
        last = k.address;
        launched = prefixes.size();
        for (variable &v : variables)
            v.whose = find_user(v.symbol, found->second);
        join_ranges();
    }
};

} // namespace

shared_range find_shared_range(size_t offset) {
    if (variables.empty())
        return {0, SIZE_MAX};
    for (const shared_range &r : ranges)
        if (offset - r.begin < r.bytes)
            return r;
    return {0, 0};
}

bool is_guard(size_t offset) {
    for (const variable &v : variables)
        if (v.what.offset == offset && is_guards(v.symbol))
            return true;
    return false;
}

bool is_other_kernels(size_t offset) {
    const variable *v = find_variable(offset);
    return v && v->whose == OTHER_KERNEL;
}

std::string describe_shared(size_t offset) {
    const variable *v = find_variable(offset);
    return v ? text("byte ", offset - v->what.offset, " of ", v->what.name) : "";
}

std::string describe_excess(size_t offset, size_t bytes) {
    const variable *v = find_variable(offset);
    const size_t end = v ? v->what.offset + v->what.bytes : SIZE_MAX;
    return offset + bytes <= end ? ""
                                 : text(count_bytes(offset + bytes - end), " past the ",
                                        count_bytes(v->what.bytes), " of ", v->what.name);
}

std::string describe_outside(size_t offset) {
    const variable *before = nullptr, *after = nullptr, *any = nullptr;
    for (const variable &v : variables) {
        if (v.whose == KERNELS_OWN && v.what.offset <= offset)
            before = &v;
        if (v.whose == KERNELS_OWN && v.what.offset > offset && !after)
            after = &v;
        if (v.whose == ANY_KERNEL && v.what.offset <= offset && begins_with(v.symbol, "_ZZ"))
            any = &v; /* as for a kernel whose address is not known */
    }
    const variable *v = before ? before : after ? after : any;
    if (!v)
        return "";
    const size_t end = v->what.offset + v->what.bytes;
    const bool past = v->what.offset <= offset;
    return text(count_bytes(past ? std::max(offset, end) - end + 1 : v->what.offset - offset),
                past ? " past" : " before", " the ", count_bytes(v->what.bytes), " of ",
                v->what.name);
}

observer &shared_variables() { return only<shared_variable_events>(); }

} // namespace cudacpu::inspect
