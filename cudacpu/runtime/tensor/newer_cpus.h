/* newer_cpus.h - functions that are compiled more than once: the runtime is for every CPU of its
 * kind, and a loop that vectorises is faster with what newer ones have. */
#ifndef CUDACPU_RUNTIME_NEWER_CPUS_H
#define CUDACPU_RUNTIME_NEWER_CPUS_H

#if defined(__x86_64__) && defined(__linux__)
#define ALSO_WITH(instructions) __attribute__((target_clones(instructions, "default")))
#else
#define ALSO_WITH(instructions)
#endif
#endif
