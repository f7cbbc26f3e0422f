/* variables.cpp - keeps the variables of the devices that do not run. */
#include "variables.h"
#include "cudacpu/shared_variable.h"
#include "runtime/host/devices.h"
#include "runtime/host/hooks.h"
#include "runtime/host/lock.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

/* By the linker, around the section; NULL where the program has no such variable. */
extern "C" char __start_cudacpu_variables[] __attribute__((weak));
extern "C" char __stop_cudacpu_variables[] __attribute__((weak));
extern "C" char __start_cudacpu_managed[] __attribute__((weak));
extern "C" char __stop_cudacpu_managed[] __attribute__((weak));

namespace cudacpu {
namespace {

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

bool is_variable(const void *pointer) {
    return (const char *)pointer >= __start_cudacpu_variables &&
           (const char *)pointer < __stop_cudacpu_variables;
}

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
    if (device_count() == 1 || !is_variable(pointer))
        return pointer;
    return kept().of[(size_t)device].data() + ((const char *)pointer - __start_cudacpu_variables);
}

void show_variables(bool launch_ended) {
    if (!is_empty())
        cudacpu_hook_host_memory(__start_cudacpu_variables,
                                 (size_t)(__stop_cudacpu_variables - __start_cudacpu_variables),
                                 launch_ended);
    if ((uintptr_t)__start_cudacpu_managed != (uintptr_t)__stop_cudacpu_managed)
        cudacpu_hook_host_memory(__start_cudacpu_managed,
                                 (size_t)(__stop_cudacpu_managed - __start_cudacpu_managed),
                                 launch_ended);
}

shared_variable::shared_variable(const char *name) {
    if (device_count() == 1)
        return;
    fprintf(
        stderr,
        "cudacpu: the __device__ variable %s is inline or a template: cudacpu has one of it for "
        "all devices, and CUDACPU_DEVICES is %d; a variable that is neither works\n",
        name, device_count());
    _exit(2);
}

} // namespace cudacpu
