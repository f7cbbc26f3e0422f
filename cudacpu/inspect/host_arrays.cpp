/* host_arrays.cpp - compares a copy's bytes with the host's array. An array on the stack is not
 * known: the compiler tells nobody where it ends. */
#include "host_arrays.h"
#include "areas.h"
#include "faults.h"
#include "host_heap.h"
#include "observer.h"
#include "runtime/host/symbols.h"
#include <algorithm>

namespace cudacpu::inspect {
namespace {

/* name: "the host array table" and what follows its size, " (allocated at file:line)" */
struct host_array {
    uintptr_t base;
    size_t bytes;
    std::string name, more;
};

std::string describe_site(uintptr_t return_address) {
    const place p = return_address - program_text < program_text_bytes ? place_of(return_address)
                                                                       : place{"", 0};
    return p.line ? " (allocated at " + p.file + ":" + std::to_string(p.line) + ")" : "";
}

/* bytes 0: it is not known. Its name is, only when it is wanted. */
host_array find_host_array(const void *pointer, bool named) {
    const allocation *a = find_live_allocation(pointer);
    if (a && (a->kind == REGISTERED_MEMORY || (const char *)pointer < a->data))
        return {};
    if (a) {
        const area *known = named ? find_area((uintptr_t)a->data) : nullptr;
        return {(uintptr_t)a->data, a->bytes, known ? "the host array " + known->name : "",
                known ? describe_site(known->allocated_at) : ""};
    }
    if (const program_variable v = find_program_variable(pointer); v.bytes)
        return {v.address, v.bytes, "the host array " + v.name, ""};
    const heap_block b = find_heap_block(pointer);
    return {b.base, b.bytes, "a host array", named ? describe_site((uintptr_t)b.caller) : ""};
}

} // namespace

std::string describe_host_array(const void *pointer) {
    thread_local host_array last; /* finding it takes long, and the next access is near */
    if ((uintptr_t)pointer - last.base >= last.bytes)
        last = find_host_array(pointer, true);
    return last.bytes ? last.name + " of " + std::to_string(last.bytes) + " bytes" + last.more : "";
}

namespace {
/* A fault if the array is known that pointer lies in, and shorter: a block of the heap, a variable
 * of the program, memory of cudaMallocHost or cudaMallocManaged. */
class host_array_events : public observer {
    void host_range_used(const char *function, const void *pointer, size_t bytes, bool write,
                         size_t *there) override {
        const host_array found = find_host_array(pointer, false);
        const size_t offset = (uintptr_t)pointer - found.base;
        if (!found.bytes || offset > found.bytes || bytes <= found.bytes - offset)
            return;
        const host_array a = find_host_array(pointer, true);
        uintptr_t return_address;
        record_host_fault("out of bounds", find_caller(&return_address), "",
                          std::string(function) + (write ? " writes " : " reads ") +
                              std::to_string(bytes) + " bytes " + (write ? "to " : "of ") + a.name +
                              " of " + std::to_string(a.bytes) + " bytes" + a.more +
                              (offset ? ", from byte " + std::to_string(offset) + " on" : ""));
        if (!find_live_allocation(pointer)) /* else the call fails */
            *there = a.bytes - offset;
    }
};
} // namespace

observer &host_arrays() {
    static host_array_events all;
    return all;
}

} // namespace cudacpu::inspect
