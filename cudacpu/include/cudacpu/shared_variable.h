/* shared_variable.h - what cpucc makes of a __device__ variable that all devices would share. */
#ifndef CUDACPU_SHARED_VARIABLE_H
#define CUDACPU_SHARED_VARIABLE_H

namespace cudacpu {

/* A template or an inline variable, which can be in no section. Where there are several devices,
 * each has its own on a GPU: the program ends with a sentence. */
struct shared_variable {
    explicit shared_variable(const char *name);
};

} // namespace cudacpu
#endif
