/* process.cpp - where the program lies in memory, the runtime's lock, and the end after a fault. */
#include "process.h"
#include "observer.h"
#include <cstdio>
#include <link.h>
#include <mutex>
#include <unistd.h>

/* By the linker: the image of the program or library that this is in. */
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start, _end;

namespace cudacpu {
namespace {

int find_image(struct dl_phdr_info *info, size_t, void *found) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto &part = info->dlpi_phdr[i];
        if (part.p_type == PT_LOAD &&
            (uintptr_t)&__ehdr_start - (info->dlpi_addr + part.p_vaddr) < part.p_memsz) {
            *(struct dl_phdr_info *)found = *info;
            return 1;
        }
    }
    return 0;
}

struct dl_phdr_info image() {
    struct dl_phdr_info found = {};
    dl_iterate_phdr(find_image, &found);
    return found;
}

} // namespace

uintptr_t program_base() { return image().dlpi_addr; }

const char *program_file() {
    const char *name = image().dlpi_name;
    static char program[4096];
    if (name && *name)
        return name;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    return program;
}

thread_locals program_thread_locals() {
    const struct dl_phdr_info found = image();
    for (int i = 0; i < found.dlpi_phnum; i++)
        if (found.dlpi_phdr[i].p_type == PT_TLS && found.dlpi_tls_data)
            return {(char *)found.dlpi_tls_data, found.dlpi_phdr[i].p_memsz,
                    found.dlpi_phdr[i].p_align};
    return {nullptr, 0, 0};
}

bool in_program(const void *address, size_t bytes) {
    const char *p = (const char *)address;
    return p >= &__ehdr_start && p <= &_end && bytes <= (size_t)(&_end - p);
}

void end_process(int status) {
    tell(&observer::process_ends);
    fflush(stderr);
    _exit(status);
}

void end_with(const std::string &sentence) {
    fflush(stdout);
    say(sentence);
    end_process(1);
}

static std::recursive_mutex mutex;

static thread_local unsigned locked; /* how often, by this OS thread */

void lock_runtime() {
    mutex.lock();
    locked++;
}
bool try_lock_runtime() {
    const bool done = mutex.try_lock();
    locked += done;
    return done;
}
void unlock_runtime() {
    locked--;
    mutex.unlock();
}

bool holds_runtime_lock() { return locked; }

runtime_unlocked::runtime_unlocked() : depth(locked) {
    while (locked)
        unlock_runtime();
}
runtime_unlocked::~runtime_unlocked() {
    while (locked < depth)
        lock_runtime();
}

} // namespace cudacpu
