/* host_pages.cpp - closes and opens pages of pinned, managed and registered memory. */
#include "host_pages.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/symbolizer.h"
#include "runtime/memory/allocation.h"
#include "stream_queue.h"
#include <sys/mman.h>

namespace cudacpu {
namespace {

struct page_range {
    char *begin, *end;
    bool write; /* closed for reads, too */
};
std::vector<page_range> &closed = *new std::vector<page_range>();
int performing; /* operations are being done: how deep */
bool missed;    /* one was issued meanwhile */

const allocation *find_host_memory(const void *pointer) {
    const allocation *a = find_live_allocation(pointer);
    return a && a->kind != DEVICE_MEMORY ? a : nullptr;
}

char *round_to_page(const char *p, bool up) {
    const uintptr_t size = page_bytes(), address = (uintptr_t)p;
    return (char *)((address + (up ? size - 1 : 0)) / size * size);
}

/* The pages on which nothing lies but [begin, end) and what surrounds the allocation. */
page_range pages_of(const allocation *a, const char *begin, const char *end, bool write) {
    const bool own = a->kind != REGISTERED_MEMORY;
    return {round_to_page(begin, !(own && begin == a->data)),
            round_to_page(end, own && end == a->data + a->bytes), write};
}

void close_range(const page_range &r) {
    if (r.begin >= r.end)
        return;
    mprotect(r.begin, (size_t)(r.end - r.begin), r.write ? PROT_NONE : PROT_READ);
    closed.push_back(r);
}

/* Calls visit(range) for each range of pages that the operation will use. */
template <class Visit> void each_range(const stream_operation &o, Visit visit) {
    for (const memory_use &use : o.uses) {
        const allocation *a = find_host_memory(use.pointer);
        const bool whole = use.pitch == use.width; /* rows that follow each other */
        for (size_t row = 0; a && row < (whole ? 1 : use.height); row++) {
            const char *begin = (const char *)use.pointer + row * use.pitch;
            visit(pages_of(a, begin, begin + use.width * (whole ? use.height : 1), use.write));
        }
    }
    /* What a kernel does to them is known when it has run: the observer will look then. */
    for (void *argument : o.arguments)
        if (const allocation *a = find_host_memory(argument))
            visit(pages_of(a, a->data, a->data + a->bytes, true));
}

/* How it will use the address so that host code must not; NULL: it will not. */
const memory_use *find_use(const stream_operation &o, const char *address, bool write) {
    for (const memory_use &use : o.uses) {
        const char *begin = (const char *)use.pointer;
        if (address < begin || (!write && !use.write))
            continue;
        const size_t offset = (size_t)(address - begin), row = use.pitch ? offset / use.pitch : 0;
        if (row < use.height && offset - row * use.pitch < use.width)
            return &use;
    }
    return nullptr;
}

void say_access(const stream_operation &o, const memory_use &use, bool write, void *pc) {
    end_with("host code ", write ? "wrote" : "read", " memory that ", name_operation(o),
             " has still to ", use.write ? "write" : "read",
             after(", at ", find_innermost_place(pc)), "; cudaStreamSynchronize waits for it");
}

} // namespace

void close_host_pages_for(const stream_operation &o) {
    if (performing) {
        missed = true;
        return;
    }
    std::vector<page_range> before;
    each_range(o, [&](const page_range &r) {
        if (!r.write) /* what was closed for reads, too, stays so */
            for (const page_range &other : closed)
                if (other.write && other.begin < r.end && r.begin < other.end)
                    before.push_back(other);
        close_range(r);
    });
    for (const page_range &r : before)
        close_range(r);
}

void open_host_pages() {
    if (performing++ == 0)
        for (const page_range &r : closed)
            mprotect(r.begin, (size_t)(r.end - r.begin), PROT_READ | PROT_WRITE);
}

void close_host_pages() {
    if (--performing > 0 || (closed.empty() && !missed))
        return;
    closed.clear();
    missed = false;
    for (const auto &entry : pending_operations())
        close_host_pages_for(entry.second);
}

bool host_met_closed_page(const void *address, bool write, void *pc) {
    runtime_guard guard; /* another OS thread may be opening them just now */
    const allocation *a = find_host_memory(address);
    if (!a || (const char *)address < a->data || (const char *)address >= a->data + a->bytes)
        return false;
    tell(&observer::host_accessed, address, write, pc);
    if (!follows_accesses)
        for (const auto &entry : pending_operations())
            if (const memory_use *use = find_use(entry.second, (const char *)address, write))
                say_access(entry.second, *use, write, pc);
    const size_t size = page_bytes();
    return mprotect(round_to_page((const char *)address, false), size, PROT_READ | PROT_WRITE) == 0;
}

} // namespace cudacpu
