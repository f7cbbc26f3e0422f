/* memory.cpp - device memory that guards itself, copies, symbols, and the rest of the API that
 * launches nothing. */
#include "internal.h"
#include <cinttypes>
#include <link.h>
#include <map>
#include <mutex>
#include <sched.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vector>

extern "C" char __executable_start, _end; /* by the linker: the program's own image */

namespace cudacpu {
namespace {

const size_t ALIGNMENT = 256, PITCH = 512, GUARD = 256 * 1024;
const unsigned char PATTERN = 0xA5, UNWRITTEN = 0xFF; /* 0xFFFFFFFF is a NaN */

std::recursive_mutex lock;
std::map<uintptr_t, allocation> allocations; /* by the start of the mapping */
std::map<uintptr_t, allocation> freed; /* kept closed, so that a late use of them is told apart */
const size_t KEPT = 256;               /* of those */
std::set<void *> streams;
__thread cudaError_t last_error;
cudaError_t sticky;
int open_depth;

size_t page() {
    static const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}
size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

uint64_t number_in(const char *path, const char *key, uint64_t otherwise) {
    FILE *file = fopen(path, "r");
    char line[256];
    uint64_t value = otherwise;
    while (file && fgets(line, sizeof line, file)) {
        uint64_t read;
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), " %" SCNu64, &read) == 1) {
            value = read;
            break;
        }
    }
    if (file)
        fclose(file);
    return value;
}

size_t total_memory() {
    uint64_t total = number_in("/proc/meminfo", "MemTotal:", 0) * 1024;
    uint64_t group = number_in("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    if (total == 0)
        total = (uint64_t)sysconf(_SC_PHYS_PAGES) * page();
    return group < total ? group : total;
}

size_t free_memory() {
    uint64_t available = number_in("/proc/meminfo", "MemAvailable:", total_memory() / 1024) * 1024;
    uint64_t group = number_in("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    if (group != UINT64_MAX) {
        uint64_t used = number_in("/sys/fs/cgroup/memory.current", "", 0);
        uint64_t left = group > used ? group - used : 0;
        available = left < available ? left : available;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        uint64_t used = number_in("/proc/self/statm", "", 0) * page();
        uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
        available = left < available ? left : available;
    }
    return available;
}

void protect(const allocation &a, bool accessible) {
    if (a.kind == DEVICE_MEMORY)
        mprotect(a.pages, a.page_bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
}

allocation *search(std::map<uintptr_t, allocation> &where, const void *address) {
    auto next = where.upper_bound((uintptr_t)address);
    if (next == where.begin())
        return nullptr;
    allocation &a = std::prev(next)->second;
    return (uintptr_t)address < (uintptr_t)a.map + a.map_bytes ? &a : nullptr;
}
allocation *containing(const void *address) { return search(allocations, address); }

void forget_freed() {
    for (auto &entry : freed)
        munmap(entry.second.map, entry.second.map_bytes);
    freed.clear();
}

/* bytes > 0 */
cudaError_t allocate(void **pointer, size_t bytes, memory_kind kind, size_t pitch = 0,
                     size_t width = 0) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (bytes > free_memory())
        forget_freed(); /* their addresses count where addresses are limited */
    if (bytes > free_memory())
        return cudaErrorMemoryAllocation;
    install_fault_handler();
    allocation a;
    a.page_bytes = round_up(bytes, page() > ALIGNMENT ? page() : ALIGNMENT);
    a.map_bytes = a.page_bytes + 2 * GUARD;
    a.map = (char *)mmap(nullptr, a.map_bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a.map == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    a.pages = a.map + GUARD;
    if (mprotect(a.pages, a.page_bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(a.map, a.map_bytes);
        return cudaErrorMemoryAllocation;
    }
    a.data = a.pages + a.page_bytes - round_up(bytes, ALIGNMENT);
    a.bytes = bytes;
    a.kind = kind;
    a.freed = false;
    memset(a.pages, PATTERN, (size_t)(a.data - a.pages));
    memset(a.data, UNWRITTEN, bytes);
    memset(a.data + bytes, PATTERN, (size_t)(a.pages + a.page_bytes - a.data) - bytes);
    protect(a, open_depth > 0);
    allocations[(uintptr_t)a.map] = a;
    *pointer = a.data;
    if (observing)
        observing->allocated(a, pitch ? pitch : bytes, pitch ? width : bytes);
    return cudaSuccess;
}

cudaError_t release(void *pointer, bool host) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (!pointer)
        return cudaSuccess;
    allocation *a = containing(pointer);
    if (!a || a->data != pointer || (a->kind == HOST_MEMORY) != host)
        return cudaErrorInvalidValue;
    if (observing)
        observing->freed(*a);
    /* Its addresses stay taken, its memory does not. */
    void *closed = mmap(a->map, a->map_bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (closed != MAP_FAILED) {
        a->freed = true;
        freed[(uintptr_t)a->map] = *a;
    }
    allocations.erase((uintptr_t)a->map);
    if (freed.size() > KEPT)
        forget_freed();
    return cudaSuccess;
}

/* Does [pointer, pointer + bytes) fit kind's side, and lie inside one allocation where it is the
 * device's? */
bool fits(const void *pointer, size_t bytes, bool device) {
    const allocation *a = containing(pointer);
    const char *p = (const char *)pointer;
    if (!a) {
        return !device || (p >= &__executable_start && p + bytes <= &_end);
    }
    if (!device && a->kind == DEVICE_MEMORY)
        return false;
    return p >= a->data && bytes <= a->bytes && (size_t)(p - a->data) <= a->bytes - bytes;
}

void touch(const void *pointer, bool accessible) {
    const allocation *a = containing(pointer);
    if (a && open_depth == 0)
        protect(*a, accessible);
}

/* The kind that cudaMemcpyDefault stands for, or what is wrong. */
cudaError_t check_kind(const void *dst, const void *src, cudaMemcpyKind *kind) {
    if (*kind < cudaMemcpyHostToHost || *kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (*kind == cudaMemcpyDefault) {
        const allocation *d = containing(dst), *s = containing(src);
        int to = d && d->kind == DEVICE_MEMORY, from = s && s->kind == DEVICE_MEMORY;
        *kind = to ? (from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : (from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
    }
    return cudaSuccess;
}
bool to_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool from_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

cudaError_t copy_rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (sticky)
        return sticky;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (dst_pitch < width || src_pitch < width)
        return cudaErrorInvalidPitchValue;
    if (!dst || !src)
        return cudaErrorInvalidValue;
    if (cudaError_t error = check_kind(dst, src, &kind))
        return error;
    size_t dst_bytes, src_bytes;
    if (__builtin_mul_overflow(dst_pitch, height - 1, &dst_bytes) ||
        __builtin_add_overflow(dst_bytes, width, &dst_bytes) ||
        __builtin_mul_overflow(src_pitch, height - 1, &src_bytes) ||
        __builtin_add_overflow(src_bytes, width, &src_bytes))
        return cudaErrorInvalidValue;
    if (!fits(dst, dst_bytes, to_device(kind)) || !fits(src, src_bytes, from_device(kind)))
        return cudaErrorInvalidValue;
    if (observing && to_device(kind) && from_device(kind))
        observing->device_copied(dst, dst_pitch, src, src_pitch, width, height);
    else if (observing && to_device(kind))
        observing->host_wrote(dst, dst_pitch, width, height);
    else if (observing && from_device(kind))
        observing->host_reads(src, src_pitch, width, height);
    touch(dst, true);
    touch(src, true);
    if (dst_pitch == width && src_pitch == width)
        memmove(dst, src, width * height);
    else
        for (size_t row = 0; row < height; row++)
            memmove((char *)dst + row * dst_pitch, (const char *)src + row * src_pitch, width);
    touch(dst, false);
    touch(src, false);
    return cudaSuccess;
}

cudaError_t set_rows(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (sticky)
        return sticky;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && pitch < width)
        return cudaErrorInvalidValue;
    size_t bytes;
    if (__builtin_mul_overflow(pitch, height - 1, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes) || !pointer || !fits(pointer, bytes, true))
        return cudaErrorInvalidValue;
    if (observing)
        observing->host_wrote(pointer, pitch, width, height);
    touch(pointer, true);
    for (size_t row = 0; row < height; row++)
        memset((char *)pointer + row * pitch, value, width);
    touch(pointer, false);
    return cudaSuccess;
}

/* CUDACPU_SHARED=default,optin (bytes) lowers the limits of shared memory, never raises them. */
size_t shared_limit(int which) {
    unsigned long given[2] = {48 * 1024, 227 * 1024};
    const char *text = getenv("CUDACPU_SHARED");
    unsigned long low[2];
    if (text && sscanf(text, "%lu,%lu", &low[0], &low[1]) == 2) {
        given[0] = low[0] < given[0] ? low[0] : given[0];
        given[1] = low[1] < given[1] ? low[1] : given[1];
        if (given[1] < given[0])
            given[1] = given[0];
    }
    return given[which];
}

std::map<const void *, size_t> raised; /* cudaFuncAttributeMaxDynamicSharedMemorySize */

/* ---- static shared memory ----
 * A kernel's __shared__ variables are thread-local statics of its function: the program's own
 * symbol table tells their sizes. _Z1kPi is a kernel, _ZZ1kPiE4tile a variable of it. */

std::vector<char> program_file() {
    std::vector<char> bytes;
    if (FILE *file = fopen("/proc/self/exe", "rb")) {
        char part[65536];
        for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
            bytes.insert(bytes.end(), part, part + got);
        fclose(file);
    }
    return bytes;
}

int first_object(struct dl_phdr_info *info, size_t, void *base) {
    *(uintptr_t *)base = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

/* The beginning of the names of a function's statics. */
std::string prefix_of_statics(const std::string &function) {
    if (function.compare(0, 2, "_Z") == 0)
        return "_Z" + function.substr(1) + "E";
    return "_ZZ" + std::to_string(function.size()) + function + "E"; /* extern "C" */
}

/* Two files may each have a static kernel of this name. Their symbols follow the name of their
 * file, so the group of symbols between two file names is what belongs together. */
size_t count_statics(const ElfW(Sym) * symbols, size_t count, const char *names,
                     uintptr_t address) {
    size_t group = 0, found = 0, total = 0;
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
            strncmp(names + symbols[i].st_name, prefix.c_str(), prefix.size()) == 0)
            total += symbols[i].st_size;
    }
    return total;
}

/* Bytes; 0 as well for a program without symbols. */
size_t static_shared(const void *function) {
    static std::map<const void *, size_t> known;
    std::lock_guard<std::recursive_mutex> guard(lock);
    auto found = known.find(function);
    if (found != known.end() || !function)
        return function ? found->second : 0;
    const std::vector<char> bytes = program_file();
    size_t total = 0;
    uintptr_t base = 0;
    dl_iterate_phdr(first_object, &base);
    if (bytes.size() > sizeof(ElfW(Ehdr))) {
        const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)bytes.data();
        const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(bytes.data() + head->e_shoff);
        for (int i = 0; head->e_shoff && i < head->e_shnum; i++)
            if (sections[i].sh_type == SHT_SYMTAB)
                total = count_statics((const ElfW(Sym) *)(bytes.data() + sections[i].sh_offset),
                                      sections[i].sh_size / sizeof(ElfW(Sym)),
                                      bytes.data() + sections[sections[i].sh_link].sh_offset,
                                      (uintptr_t)function - base);
    }
    return known[function] = total;
}

} // namespace

observer *observing;

size_t shared_default() { return shared_limit(0); }
size_t shared_optin() { return shared_limit(1); }
size_t dynamic_limit(const void *function) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    auto found = raised.find(function);
    const size_t fixed = static_shared(function);
    size_t limit = shared_default() > fixed ? shared_default() - fixed : 0;
    return function && found != raised.end() && found->second > limit ? found->second : limit;
}

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess)
        last_error = error;
    return error;
}
void make_sticky(cudaError_t error) {
    sticky = error;
    report(error);
}
cudaError_t sticky_error() { return sticky; }

const allocation *find_allocation(const void *address) {
    const allocation *a = containing(address);
    return a ? a : search(freed, address);
}

void open_memory() {
    running_thread who;
    if (running(&who)) {
        fflush(stdout);
        fprintf(stderr,
                "cudacpu: kernel %s launched a kernel: cudacpu does not provide that, it needs "
                "nvcc and a GPU\n",
                who.kernel);
        end_process(1);
    }
    lock.lock(); /* one launch at a time, and nobody else changes the allocations meanwhile */
    if (open_depth++ == 0)
        for (auto &entry : allocations)
            protect(entry.second, true);
}
void close_memory() {
    if (--open_depth == 0)
        for (auto &entry : allocations)
            protect(entry.second, false);
    lock.unlock();
}

bool find_damage(damage *found) {
    for (auto &entry : allocations) {
        const allocation &a = entry.second;
        for (char *p = a.data + a.bytes; p < a.pages + a.page_bytes; p++)
            if ((unsigned char)*p != PATTERN) {
                *found = {&a, p};
                return true;
            }
        for (char *p = a.data - 1; p >= a.pages; p--)
            if ((unsigned char)*p != PATTERN) {
                *found = {&a, p};
                return true;
            }
    }
    return false;
}
void restore_pattern(const damage &found) {
    const allocation &a = *found.where;
    memset(a.pages, PATTERN, (size_t)(a.data - a.pages));
    memset(a.data + a.bytes, PATTERN, (size_t)(a.pages + a.page_bytes - a.data) - a.bytes);
}

int processors() {
    static int count = [] {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) == 0)
            return CPU_COUNT(&set);
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        return online > 0 ? (int)online : 1;
    }();
    return count;
}

bool valid_stream(cudaStream_t stream) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           streams.count(stream);
}

/* A kernel's pointer argument that no device could follow: said once a launch, not an error until
 * it is used there. */
void check_pointer(const char *name, int position, const void *pointer) {
    if (!pointer)
        return;
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (containing(pointer) || fits(pointer, 0, true))
        return;
    if (observing)
        observing->host_pointer_passed(name, position);
    if (search(freed, pointer)) {
        fprintf(stderr,
                "cudacpu: warning: argument %d of kernel %s points to memory that was freed\n",
                position, name);
        return;
    }
    fprintf(stderr,
            "cudacpu: warning: argument %d of kernel %s points to host memory; a GPU could not "
            "follow it (cudaMalloc and "
            "cudaMemcpy make a copy that it can)\n",
            position, name);
}

cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind) {
    if (sticky)
        return report(sticky);
    if (offset > size || bytes > size - offset)
        return report(cudaErrorInvalidValue);
    if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice &&
        kind != (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
        return report(cudaErrorInvalidMemcpyDirection);
    const void *other = to_symbol ? from : to;
    if (!fits(other, bytes, kind == cudaMemcpyDeviceToDevice))
        return report(cudaErrorInvalidValue);
    touch(other, true);
    if (to_symbol)
        memcpy(symbol + offset, from, bytes);
    else
        memcpy(to, symbol + offset, bytes);
    touch(other, false);
    return cudaSuccess;
}

} // namespace cudacpu

using namespace cudacpu;

/* ---- errors ---- */

static const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

extern "C" {

const char *cudaGetErrorString(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.text;
    return "unrecognized error code";
}
const char *cudaGetErrorName(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.name;
    return "unrecognized error code";
}
cudaError_t cudaGetLastError(void) {
    if (observing)
        observing->error_asked();
    cudaError_t error = last_error;
    last_error = sticky;
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    if (observing)
        observing->error_asked();
    return last_error;
}

/* ---- the device ---- */

cudaError_t cudaGetDeviceCount(int *count) {
    if (!count)
        return report(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
    if (!device)
        return report(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return report(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    if (!p)
        return report(cudaErrorInvalidValue);
    if (device != 0)
        return report(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    char model[128] = "CPU";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(p->name, sizeof p->name, "%s (cudacpu, %d thread%s)", model, processors(),
             processors() == 1 ? "" : "s");
    p->totalGlobalMem = total_memory();
    p->sharedMemPerBlock = shared_default();
    p->sharedMemPerBlockOptin = shared_optin();
    p->sharedMemPerMultiprocessor = 228 * 1024;
    p->regsPerBlock = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->multiProcessorCount = processors();
    p->integrated = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
    p->maxThreadsPerMultiProcessor = 1024;
    p->maxBlocksPerMultiProcessor = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudaDeviceProp p;
    if (!value)
        return report(cudaErrorInvalidValue);
    if (cudaError_t error = cudaGetDeviceProperties(&p, device))
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxBlockDimX:
        *value = p.maxThreadsDim[0];
        break;
    case cudaDevAttrMaxBlockDimY:
        *value = p.maxThreadsDim[1];
        break;
    case cudaDevAttrMaxBlockDimZ:
        *value = p.maxThreadsDim[2];
        break;
    case cudaDevAttrMaxGridDimX:
        *value = p.maxGridSize[0];
        break;
    case cudaDevAttrMaxGridDimY:
        *value = p.maxGridSize[1];
        break;
    case cudaDevAttrMaxGridDimZ:
        *value = p.maxGridSize[2];
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p.sharedMemPerBlock;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p.sharedMemPerBlockOptin;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrTotalConstantMemory:
        *value = (int)p.totalConstMem;
        break;
    case cudaDevAttrWarpSize:
        *value = p.warpSize;
        break;
    case cudaDevAttrMaxPitch:
        *value = (int)p.memPitch;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
        *value = p.regsPerBlock;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        break;
    case cudaDevAttrManagedMemory:
        *value = 1;
        break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrL2CacheSize:
        *value = 0;
        break;
    default:
        return report(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return report(sticky); }
cudaError_t cudaDeviceReset(void) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (auto &entry : allocations) {
        if (observing)
            observing->freed(entry.second);
        munmap(entry.second.map, entry.second.map_bytes);
    }
    allocations.clear();
    streams.clear();
    raised.clear();
    sticky = last_error = cudaSuccess;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    if (!free_bytes || !total_bytes)
        return report(cudaErrorInvalidValue);
    *free_bytes = free_memory();
    *total_bytes = total_memory();
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version)
        return report(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }

/* ---- memory ---- */

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    if (sticky)
        return report(sticky);
    if (!pointer)
        return report(cudaErrorInvalidValue);
    *pointer = nullptr;
    return report(bytes ? allocate(pointer, bytes, DEVICE_MEMORY) : cudaSuccess);
}
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (sticky)
        return report(sticky);
    if (!pointer || !pitch)
        return report(cudaErrorInvalidValue);
    *pointer = nullptr;
    *pitch = 0;
    if (width == 0 || height == 0)
        return cudaSuccess;
    size_t row, bytes;
    if (width > SIZE_MAX - 2 * PITCH)
        return report(cudaErrorMemoryAllocation);
    row = round_up(width, PITCH);
    if (row % 4096 == 0 &&
        !observing) /* rows that all fall into the same sets of the CPU's cache */
        row += PITCH;
    if (__builtin_mul_overflow(row, height, &bytes))
        return report(cudaErrorMemoryAllocation);
    cudaError_t error = allocate(pointer, bytes, DEVICE_MEMORY, row, width);
    if (error == cudaSuccess)
        *pitch = row;
    return report(error);
}
cudaError_t cudaFree(void *pointer) { return report(sticky ? sticky : release(pointer, false)); }
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    return valid_stream(stream) ? cudaMalloc(pointer, bytes)
                                : report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    return valid_stream(stream) ? cudaFree(pointer) : report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    if (sticky)
        return report(sticky);
    if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return report(cudaErrorInvalidValue);
    return report(allocate(pointer, bytes, MANAGED_MEMORY));
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    if (sticky)
        return report(sticky);
    if (!pointer || flags > 7)
        return report(cudaErrorInvalidValue);
    *pointer = nullptr;
    return report(bytes ? allocate(pointer, bytes, HOST_MEMORY) : cudaSuccess);
}
cudaError_t cudaFreeHost(void *pointer) { return report(sticky ? sticky : release(pointer, true)); }
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    if (!attributes)
        return report(cudaErrorInvalidValue);
    std::lock_guard<std::recursive_mutex> guard(lock);
    const allocation *a = containing(pointer);
    memset(attributes, 0, sizeof *attributes);
    if (!a) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = -2;
        attributes->hostPointer = (void *)pointer;
        return cudaSuccess;
    }
    attributes->type = a->kind == DEVICE_MEMORY ? cudaMemoryTypeDevice
                       : a->kind == HOST_MEMORY ? cudaMemoryTypeHost
                                                : cudaMemoryTypeManaged;
    attributes->devicePointer = (void *)pointer;
    attributes->hostPointer = a->kind == DEVICE_MEMORY ? nullptr : (void *)pointer;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
    return report(copy_rows(dst, bytes, src, bytes, bytes, 1, kind));
}
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    return report(copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind));
}
cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return report(set_rows(pointer, bytes, value, bytes, 1));
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return report(set_rows(pointer, pitch, value, width, height));
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemcpy(dst, src, bytes, kind)
                                : report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, height, kind)
                                : report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemset(pointer, value, bytes)
                                : report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemset2D(pointer, pitch, value, width, height)
                                : report(cudaErrorInvalidResourceHandle);
}

/* ---- streams and events ---- */

struct CUstream_st {
    int unused;
};
struct CUevent_st {
    bool recorded, timed;
    struct timespec when;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    if (sticky)
        return report(sticky);
    if (!stream || flags > cudaStreamNonBlocking)
        return report(cudaErrorInvalidValue);
    std::lock_guard<std::recursive_mutex> guard(lock);
    *stream = new CUstream_st();
    streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (!streams.erase(stream))
        return report(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return report(sticky                 ? sticky
                  : valid_stream(stream) ? cudaSuccess
                                         : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return report(sticky                          ? sticky
                  : valid_stream(stream) && event ? cudaSuccess
                                                  : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    if (sticky)
        return report(sticky);
    if (!event)
        return report(cudaErrorInvalidValue);
    *event = new CUevent_st();
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (sticky)
        return report(sticky);
    if (!event || !valid_stream(stream))
        return report(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return report(sticky ? sticky : event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    if (sticky)
        return report(sticky);
    if (!milliseconds)
        return report(cudaErrorInvalidValue);
    if (!start || !stop || !start->recorded || !stop->recorded || !start->timed || !stop->timed)
        return report(cudaErrorInvalidResourceHandle);
    double seconds = (double)(stop->when.tv_sec - start->when.tv_sec);
    *milliseconds =
        (float)(1e3 * seconds + 1e-6 * (double)(stop->when.tv_nsec - start->when.tv_nsec));
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event)
        return report(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

/* ---- kernels by address ---- */

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                 int value) {
    if (sticky)
        return report(sticky);
    if (!function)
        return report(cudaErrorInvalidDeviceFunction);
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return report(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        (size_t)value + static_shared(function) > shared_optin())
        return report(cudaErrorInvalidValue);
    raised[function] = (size_t)value;
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
    if (!attributes)
        return report(cudaErrorInvalidValue);
    if (!function)
        return report(cudaErrorInvalidDeviceFunction);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = static_shared(function);
    attributes->maxThreadsPerBlock = 1024;
    attributes->maxDynamicSharedSizeBytes = (int)dynamic_limit(function);
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache) {
    return report(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

} /* extern "C" */
