/* program_caller.h - the place in the program that called: what functions of cudacpu's own headers
 * do is taken as their callers' (cpucc collects those of an observed program in a section). */
#ifndef CUDACPU_RUNTIME_PROGRAM_CALLER_H
#define CUDACPU_RUNTIME_PROGRAM_CALLER_H
#include <cstdint>

extern "C" {
__attribute__((weak)) extern char __start_cudacpu_copies, __stop_cudacpu_copies;
}

namespace cudacpu {

/* From the frame of a function that the program calls. Observed code has frame pointers. */
inline __attribute__((always_inline)) void *find_program_caller(void *return_address, void *frame) {
    while (__builtin_expect((uintptr_t)return_address - (uintptr_t)&__start_cudacpu_copies <
                                (uintptr_t)(&__stop_cudacpu_copies - &__start_cudacpu_copies),
                            0)) {
        frame = *(void **)frame;
        return_address = ((void **)frame)[1];
    }
    return return_address;
}

} // namespace cudacpu

#define PROGRAM_CALLER                                                                             \
    ::cudacpu::find_program_caller(__builtin_return_address(0), __builtin_frame_address(0))

#endif
