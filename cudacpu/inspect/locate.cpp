/* locate.cpp - tells stacks, shared memory, the program's variables and allocations apart. */
#include "access_log.h"
#include "faults.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "runtime/host/devices.h"
#include "runtime/host/symbols.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/scheduler/block.h"
#include "shared_variables.h"
#include <algorithm>
#include <sys/mman.h>

/* By the linker: the program's own image, what of it can be written, and its __device__ and
 * __managed__ variables. */
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start, _end;
extern "C" __attribute__((weak)) char __data_start[], __start_cudacpu_variables[],
    __stop_cudacpu_variables[], __start_cudacpu_managed[], __stop_cudacpu_managed[];

namespace cudacpu::inspect {
namespace {

void set_memory(instruction *s, memory_class what, uintptr_t base, uintptr_t bytes) {
    s->what = what, s->base = base, s->bytes = bytes;
}

/* Does the access begin in this memory? Then it is what s uses. */
bool is_in(instruction *s, uintptr_t address, memory_class what, const void *begin, size_t bytes) {
    if (address - (uintptr_t)begin >= bytes)
        return false;
    set_memory(s, what, (uintptr_t)begin, bytes);
    return true;
}

/* The access is a fault, and its memory nobody's. */
void reject(instruction *s, const char *kind, uintptr_t address, const std::string &message) {
    record_access_fault(kind, s->return_address, address, message);
    set_memory(s, NOWHERE, 0, 0);
}

/* A fault if the access leaves the memory that s was found to use; it is then allowed. */
void check_end(instruction *s, uintptr_t address, unsigned size, const std::string &name) {
    const uintptr_t base = s->base, bytes = s->bytes;
    if (address >= base && address + size <= base + bytes)
        return;
    const bool past = address + size > base + bytes;
    const size_t distance =
        past ? std::max(address, base + bytes) - base - bytes + 1 : base - address;
    reject(s, "out of bounds", address,
           text(s->write ? "wrote " : "read ", count_bytes(distance), past ? " past" : " before",
                " the ", count_bytes(bytes), " of ", name));
    const uintptr_t page = address & ~(uintptr_t)4095;
    mprotect((void *)page, ((address + size - 1) & ~(uintptr_t)4095) - page + 4096,
             PROT_READ | PROT_WRITE);
}

/* A write where nothing is the kernel's own would destroy what cudacpu or the host keep there. */
void stop_before(const instruction *s, const std::string &text) {
    const place p = place_of(s->return_address);
    if (s->write)
        stop_at_write(p.file, p.line, text);
}

/* In thread-local storage of the block that owns it: static shared memory, or something else. */
void locate_static(instruction *s, uintptr_t address, unsigned size) {
    const size_t offset = address - s->owner->tls;
    if (size == 1 && is_guard(offset))
        return set_memory(s, IGNORED, address, 1);
    const shared_range r = find_shared_range(offset);
    if (r.bytes && size <= r.begin + r.bytes - offset)
        return set_memory(s, SHARED, s->owner->tls + r.begin,
                          std::min((size_t)s->owner->tls_bytes, r.bytes));
    const std::string outside = describe_outside(offset),
                      what = text(s->write ? "wrote " : "read ",
                                  outside.empty() ? "an address that is neither device memory nor "
                                                    "shared memory"
                                                  : outside);
    reject(s, "out of bounds", address, what);
    if (!r.bytes && !is_other_kernels(offset))
        stop_before(s, what);
}

/* What no variable of the program's own source holds: the C library's, cudacpu's, or nobody's. */
bool keeps_the_process_alive(uintptr_t address) {
    const std::string name = find_program_variable((const void *)address).name;
    return name.empty() || name.find('@') != std::string::npos ||
           name.find("cudacpu") != std::string::npos;
}

/* In the program's image: a variable of the device, a constant, or a variable of host code, which a
 * kernel cannot name on a GPU. */
void locate_in_image(instruction *s, uintptr_t address) {
    const char *const data = __data_start ? __data_start : &_end;
    if (is_in(s, address, SYMBOL, __start_cudacpu_variables,
              (size_t)(__stop_cudacpu_variables - __start_cudacpu_variables)) ||
        is_in(s, address, SYMBOL, __start_cudacpu_managed,
              (size_t)(__stop_cudacpu_managed - __start_cudacpu_managed)) ||
        (!s->write && is_in(s, address, SYMBOL, &__ehdr_start, (size_t)(data - &__ehdr_start))))
        return;
    if (s->write && keeps_the_process_alive(address)) {
        const char *what = address >= (uintptr_t)__stop_cudacpu_variables
                               ? "wrote past the program's last __device__ variable"
                               : "wrote memory of the program that holds no variable of a kernel's";
        reject(s, "out of bounds", address, what);
        return stop_before(s, what);
    }
    reject(s, "host variable", address,
           text(s->write ? "wrote" : "read",
                " a variable of host code; a kernel has those that are __device__ or "
                "__constant__"));
}

/* A product or sum of ints that passes 2^31 continues at -2^31. */
std::string describe_overflow(uintptr_t address, unsigned size) {
    for (const uintptr_t element : {size, 1u, 2u, 4u, 8u, 16u})
        for (const bool before : {true, false}) {
            const uintptr_t distance = element << 32,
                            at = before ? address + distance : address - distance;
            if (const area *a = find_area(at))
                return text(": it is 2^32 elements of ", count_bytes(element),
                            before ? " before " : " behind ", describe_position(a, at),
                            ": an index of 32 bits overflowed");
        }
    return "";
}

/* Shared memory of the owner's block. */
bool is_in_block(instruction *s, observed_worker *owner, uintptr_t address, unsigned size,
                 const char *dynamic_name) {
    s->owner = owner;
    if (address - owner->shared_area < owner->shared_area_bytes) {
        set_memory(s, SHARED, (uintptr_t)owner->dynamic, owner->dynamic_bytes);
        check_end(s, address, size, dynamic_name);
        return true;
    }
    if (address - owner->tls >= owner->tls_bytes)
        return false;
    locate_static(s, address, size);
    return true;
}

bool is_in_cluster(instruction *s, observed_worker *w, uintptr_t address, unsigned size) {
    if (is_in_block(s, w, address, size, "dynamic shared memory"))
        return true;
    for (observed_worker *other : w->knows->worker)
        if (other && other != w &&
            is_in_block(s, other, address, size, "another block's dynamic shared memory"))
            return true;
    s->owner = w;
    return false;
}

} // namespace

void locate(observed_worker *w, instruction *s, uintptr_t address, unsigned size) {
    const kernel *k = running_launch.kernel; /* the launch reads its arguments, not the kernel */
    s->where = nullptr;
    s->owner = w;
    if (is_in(s, address, IGNORED, w->stacks, w->stacks_bytes) ||
        (!s->write && (is_in(s, address, IGNORED, &cudacpu_coordinates_storage,
                             sizeof cudacpu_coordinates_storage) ||
                       is_in(s, address, IGNORED, &cudacpu_dynamic_shared, sizeof(char *)))) ||
        is_in_cluster(s, w, address, size))
        return;
    if (address >= (uintptr_t)&__ehdr_start && address < (uintptr_t)&_end) {
        locate_in_image(s, address);
    } else if (const allocation *map = find_allocation((const void *)address); map && map->freed) {
        reject(s, "freed while in use", address,
               text(s->write ? "writes" : "reads", " memory that was freed"));
    } else if (map) {
        s->where = find_area((uintptr_t)map->data);
        if (!may_touch(running_launch.device, *map))
            record_access_fault(
                "memory of another device", s->return_address, address,
                text(s->write ? "writes " : "reads ", describe_position(s->where, address),
                     of_device(map->device), ", to which device ", running_launch.device,
                     " has no access: no ",
                     map->access ? "cudaMemPoolSetAccess" : "cudaDeviceEnablePeerAccess"));
        set_memory(s, GLOBAL, (uintptr_t)map->data, map->bytes);
        check_end(s, address, size, s->where->name);
    } else if (const heap_block block = find_heap_block(address); block.of_kernel) {
        set_memory(s, IGNORED, block.base, block.bytes);
    } else if (!is_in(s, address, IGNORED, k->arguments, k->argument_bytes)) {
        const std::string array = describe_host_array((const void *)address),
                          what = text(s->write ? "wrote " : "read ",
                                      "an address that is neither device memory nor shared memory",
                                      array.empty() ? describe_overflow(address, size)
                                                    : ": it is in " + array);
        reject(s, "out of bounds", address, what);
        stop_before(s, what);
    }
}

instruction *find_for_memory(observed_worker *w, instruction *s) {
    instruction *found = s;
    if (s->logged != NOWHERE) {
        do
            found = found->other;
        while (found != s && found->logged != s->what);
        if (found == s) {
            found = make_instruction(w, s->return_address, s->size, s->write, s->atomic);
            found->other = s->other;
            s->other = found;
        }
        set_memory(found, s->what, s->base, s->bytes);
        found->where = s->where;
        found->owner = s->owner;
    }
    found->logged = s->what;
    return found;
}

} // namespace cudacpu::inspect
