/* kernel_heap.cpp - cpucc lets an observed file call these in place of new, malloc, delete and
 * free: what the host's heap gives to a kernel is memory of the device. */
#include "kernel_heap.h"
#include "host_heap.h"
#include "observed_worker.h"
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace cudacpu::inspect {
namespace {

std::mutex kernel_heap_lock;
std::map<uintptr_t, size_t> &blocks() {
    static auto *all = new std::map<uintptr_t, size_t>(); /* programs free in their destructors */
    return *all;
}

/* What the program's code, which returns to caller, was given. */
void *note_block(void *p, size_t bytes, void *caller) {
    set_heap_caller(p, caller);
    if (p && observed()) {
        std::lock_guard<std::mutex> guard(kernel_heap_lock);
        blocks()[(uintptr_t)p] = bytes;
    }
    return p;
}
void forget_block(void *p) {
    std::lock_guard<std::mutex> guard(kernel_heap_lock);
    blocks().erase((uintptr_t)p);
}

} // namespace

bool find_in_heap(uintptr_t address, uintptr_t *base, size_t *bytes) {
    std::lock_guard<std::mutex> guard(kernel_heap_lock);
    auto next = blocks().upper_bound(address);
    if (next == blocks().begin() || address - (--next)->first >= next->second)
        return false;
    *base = next->first, *bytes = next->second;
    return true;
}

} // namespace cudacpu::inspect

using namespace cudacpu::inspect;

#define CALLER __builtin_return_address(0)
extern "C" {
void *cudacpu_observed_malloc(size_t bytes) { return note_block(malloc(bytes), bytes, CALLER); }
void cudacpu_observed_free(void *p) {
    forget_block(p);
    free(p);
}
void *cudacpu_observed__Znwm(size_t bytes) {
    return note_block(operator new(bytes), bytes, CALLER);
}
void *cudacpu_observed__Znam(size_t bytes) {
    return note_block(operator new[](bytes), bytes, CALLER);
}
void cudacpu_observed__ZdlPv(void *p) {
    forget_block(p);
    operator delete(p);
}
void cudacpu_observed__ZdaPv(void *p) {
    forget_block(p);
    operator delete[](p);
}
void cudacpu_observed__ZdlPvm(void *p, size_t) { cudacpu_observed__ZdlPv(p); }
void cudacpu_observed__ZdaPvm(void *p, size_t) { cudacpu_observed__ZdaPv(p); }
}
