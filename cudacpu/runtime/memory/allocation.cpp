/* allocation.cpp - one mapping for each allocation, between guard pages; and the variables of the
 * devices that do not run. */
#include "allocation.h"
#include "cudacpu/shared_variable.h"
#include "protection.h"
#include "runtime/host/devices.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace cudacpu {
namespace {

const size_t ALIGNMENT = 256, GUARD = 256 * 1024, HUGE_PAGE = 2 * 1024 * 1024;

std::map<uintptr_t, allocation> live;  /* by the start of the mapping */
std::map<uintptr_t, allocation> freed; /* kept closed, so that a late use of them is told apart */
std::deque<uintptr_t> freed_order;
const size_t KEPT = 256; /* of those */

/* What memory holds before it is written. 0xFFFFFFFF is a NaN, which no arithmetic hides, but a
 * check of the form fabs(a - b) > limit does: CUDACPU_FILL=large, 3.4e38, is for those. */
unsigned char unwritten_byte() {
    static const bool large = read_word_setting("CUDACPU_FILL", {"nan", "large"});
    return large ? 0x7F : 0xFF;
}

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/* While one of the maps changes: a handler of a signal reads them without the runtime's lock. */
std::atomic_flag maps_change;

allocation *find_in(std::map<uintptr_t, allocation> &among, const void *address) {
    auto next = among.upper_bound((uintptr_t)address);
    if (next == among.begin())
        return nullptr;
    allocation &a = std::prev(next)->second;
    return (uintptr_t)address < (uintptr_t)a.map + a.map_bytes ? &a : nullptr;
}

/* Of what was freed, the oldest, so that so many are left. */
void forget_freed(size_t left) {
    spin_guard guard(maps_change);
    while (freed.size() > left) {
        const auto oldest = freed.find(freed_order.front());
        munmap(oldest->second.map, oldest->second.map_bytes);
        freed.erase(oldest);
        freed_order.pop_front();
    }
}

/* The program has freed it, if its addresses are given out again. */
void forget_registered(const allocation &a) {
    spin_guard guard(maps_change);
    for (auto next = live.lower_bound((uintptr_t)a.map);
         next != live.end() && next->first < (uintptr_t)a.map + a.map_bytes;)
        next = live.erase(next);
}

allocation *keep(const allocation &a) {
    spin_guard guard(maps_change);
    return &(live[(uintptr_t)a.map] = a);
}

} // namespace

cudaError_t allocate(void **pointer, size_t bytes, memory_kind kind, size_t pitch, size_t width,
                     unsigned flags) {
    runtime_guard guard;
    if (bytes > free_memory())
        forget_freed(0); /* their addresses count where addresses are limited */
    if (bytes > free_memory())
        return cudaErrorMemoryAllocation;
    install_fault_handler();
    allocation a = {};
    a.page_bytes = round_up(bytes, page_bytes() > ALIGNMENT ? page_bytes() : ALIGNMENT);
    /* Huge pages: all device memory is opened and closed for each operation. */
    const bool is_huge = kind == DEVICE_MEMORY && a.page_bytes >= HUGE_PAGE;
    a.map_bytes = a.page_bytes + 2 * GUARD + (is_huge ? HUGE_PAGE : 0);
    a.map = (char *)mmap(nullptr, a.map_bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a.map == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    a.pages = a.map + GUARD;
    if (is_huge) {
        a.pages += -(uintptr_t)a.pages % HUGE_PAGE;
        madvise(a.pages, a.page_bytes, MADV_HUGEPAGE);
    }
    if (mprotect(a.pages, a.page_bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(a.map, a.map_bytes);
        return cudaErrorMemoryAllocation;
    }
    a.data = a.pages + a.page_bytes - round_up(bytes, ALIGNMENT);
    a.bytes = bytes;
    a.kind = kind;
    a.device = current_device();
    a.flags = flags;
    a.allocated_by = find_call_path();
    memset(a.pages, PATTERN, (size_t)(a.data - a.pages));
    memset(a.data, unwritten_byte(), bytes);
    memset(a.data + bytes, PATTERN, (size_t)(a.pages + a.page_bytes - a.data) - bytes);
    forget_registered(a);
    allocation *const kept = keep(a);
    *pointer = a.data;
    tell(&observer::allocated, a, pitch ? pitch : bytes, pitch ? width : bytes);
    begin_protection(kept);
    return cudaSuccess;
}

allocation *find_to_free(const void *pointer, bool host) {
    allocation *a = find_in(live, pointer);
    const bool is_right =
        a && a->data == pointer && !a->to_be_freed &&
        (host ? a->kind == HOST_MEMORY : a->kind == DEVICE_MEMORY || a->kind == MANAGED_MEMORY);
    return is_right ? a : nullptr;
}

void release(allocation *a) {
    tell(&observer::freed, *a);
    if (!a->to_be_freed) /* else it is known */
        a->freed_by = find_call_path();
    end_protection(a);
    /* Its addresses stay taken, its memory does not. */
    const bool kept =
        mmap(a->map, a->map_bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
    if (!kept)
        munmap(a->map, a->map_bytes);
    {
        spin_guard guard(maps_change);
        if (kept) {
            a->freed = true;
            freed[(uintptr_t)a->map] = *a;
            freed_order.push_back((uintptr_t)a->map);
        }
        live.erase((uintptr_t)a->map);
    }
    forget_freed(KEPT);
}

/* The program may have given memory back to the system that it had registered. */
static bool is_mapped(const allocation &a) {
    const uintptr_t size = page_bytes(), begin = (uintptr_t)a.data / size * size;
    std::vector<unsigned char> resident(((uintptr_t)a.data + a.bytes - begin) / size + 1);
    return mincore((void *)begin, (uintptr_t)a.data + a.bytes - begin, resident.data()) == 0;
}

allocation *find_live_allocation(const void *address) { return find_in(live, address); }
const allocation *find_allocation(const void *address) {
    const allocation *a = find_in(live, address);
    return a ? a : find_in(freed, address);
}

const allocation *find_pinned(const void *address) {
    const allocation *a = find_live_allocation(address);
    return a && (a->kind == HOST_MEMORY || a->kind == REGISTERED_MEMORY) ? a : nullptr;
}

allocation *find_in_handler(const void *address) {
    const int PATIENCE = 2000; /* ms, after which who holds the lock is taken to hang */
    for (int tries = 0; maps_change.test_and_set(std::memory_order_acquire); tries++) {
        if (tries == PATIENCE)
            return nullptr;
        usleep(1000);
    }
    allocation *a = find_in(live, address);
    a = a ? a : find_in(freed, address);
    maps_change.clear(std::memory_order_release);
    return a;
}
void each_allocation(void (*visit)(allocation *)) {
    for (auto &entry : live)
        visit(&entry.second);
}

bool lie_on_side(const void *pointer, size_t bytes, bool device) {
    const allocation *a = find_live_allocation(pointer);
    const char *p = (const char *)pointer;
    if (!a) { /* a device's memory that was freed is no host's */
        const allocation *before = find_in(freed, pointer);
        if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
            return false;
        return device ? in_program(pointer, bytes) : !before || before->kind != DEVICE_MEMORY;
    }
    if (!device && a->kind == DEVICE_MEMORY)
        return false;
    if (a->kind == REGISTERED_MEMORY && !is_mapped(*a))
        return false;
    return p >= a->data && bytes <= a->bytes && (size_t)(p - a->data) <= a->bytes - bytes;
}

bool may_touch(int device, const allocation &a) {
    return a.kind != DEVICE_MEMORY || a.device == device ||
           (a.access ? a.access[device] : has_access(device, a.device));
}

bool warn_of_freed(const void *pointer, const char *function) {
    const allocation *a = find_allocation(pointer);
    if (!a || (!a->freed && !a->to_be_freed))
        return false;
    say("warning: ", function, " was given ", a->bytes, " bytes that were freed before",
        after(", at ", place_of(find_call_path())),
        after("; they were allocated at ", place_of(a->allocated_by)),
        after(" and freed at ", place_of(a->freed_by)));
    return true;
}

void forget(allocation &a) {
    tell(&observer::freed, a);
    end_protection(&a);
    if (a.kind != REGISTERED_MEMORY)
        munmap(a.map, a.map_bytes);
    spin_guard change(maps_change);
    live.erase((uintptr_t)a.map);
}

void free_all(int device) {
    runtime_guard guard;
    for (auto next = live.begin(); next != live.end();) {
        allocation &a = (next++)->second;
        if (a.device == device)
            forget(a);
    }
}

bool add_registered(void *pointer, size_t bytes, unsigned flags) {
    const uintptr_t begin = (uintptr_t)pointer;
    auto next = live.lower_bound(begin);
    if (find_in(live, pointer) || (next != live.end() && next->first < begin + bytes))
        return false;
    install_fault_handler();
    allocation a = {};
    a.map = a.pages = a.data = (char *)pointer;
    a.map_bytes = a.page_bytes = a.bytes = bytes;
    a.kind = REGISTERED_MEMORY;
    a.device = current_device();
    a.flags = flags;
    keep(a);
    tell(&observer::allocated, a, bytes, bytes);
    return true;
}

/* ---- __device__ and __constant__ variables ---- */

namespace {

/* By the linker, around the section; NULL where the program has no such variable. */
extern "C" __attribute__((weak)) char __start_cudacpu_variables[], __stop_cudacpu_variables[],
    __start_cudacpu_managed[], __stop_cudacpu_managed[];

struct variables {
    size_t bytes = (size_t)(__stop_cudacpu_variables - __start_cudacpu_variables);
    /* what each device that does not run has; at first the initial values */
    std::vector<std::vector<char>> of = std::vector<std::vector<char>>(
        (size_t)device_count(),
        std::vector<char>(__start_cudacpu_variables, __stop_cudacpu_variables));
    int used = 0;
};
variables &kept() {
    static variables &all = *new variables();
    return all;
}

bool is_empty() {
    return (uintptr_t)__start_cudacpu_variables == (uintptr_t)__stop_cudacpu_variables;
}

} // namespace

void use_variables(int device) {
    if (device_count() == 1 || is_empty())
        return;
    runtime_guard guard;
    variables &all = kept();
    if (device == all.used)
        return;
    memcpy(all.of[(size_t)all.used].data(), __start_cudacpu_variables, all.bytes);
    memcpy(__start_cudacpu_variables, all.of[(size_t)device].data(), all.bytes);
    all.used = device;
}

const void *identify_variable(const void *pointer, int device) {
    const char *p = (const char *)pointer;
    if (device_count() == 1 || p < __start_cudacpu_variables || p >= __stop_cudacpu_variables)
        return pointer;
    return kept().of[(size_t)device].data() + (p - __start_cudacpu_variables);
}

void show_host_memory(bool launch_ended) {
    const auto show = [=](char *begin, const char *end) {
        if ((uintptr_t)begin != (uintptr_t)end)
            tell(&observer::shared_memory, begin, (size_t)(end - begin), launch_ended);
    };
    for (auto &entry : live)
        if (entry.second.kind != DEVICE_MEMORY)
            show(entry.second.data, entry.second.data + entry.second.bytes);
    show(__start_cudacpu_variables, __stop_cudacpu_variables);
    show(__start_cudacpu_managed, __stop_cudacpu_managed);
}

shared_variable::shared_variable(const char *name) {
    if (device_count() == 1)
        return;
    say("the __device__ variable ", name, " is inline or a template: cudacpu has one of it for ",
        "all devices, and CUDACPU_DEVICES is ", device_count(),
        "; a variable that is neither works");
    _exit(2);
}

} // namespace cudacpu
