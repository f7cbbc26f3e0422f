/* float_environment.h - the CPU's floating-point environment (MXCSR and the x87 control word,
 * FPCR): rounding mode, flushing of subnormals, traps. A GPU has none: kernels compute with the
 * default one, whatever the host's is, and a switch between fibers does not keep it. */
#ifndef CUDACPU_RUNTIME_FLOAT_ENVIRONMENT_H
#define CUDACPU_RUNTIME_FLOAT_ENVIRONMENT_H

namespace cudacpu {

#ifdef __x86_64__
struct float_environment {
    unsigned vectors;   /* of MXCSR without its flags */
    unsigned short x87; /* which long double has */

    bool operator!=(const float_environment &e) const {
        return vectors != e.vectors || x87 != e.x87;
    }
    static float_environment now() {
        float_environment e;
        __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(e.vectors), "=m"(e.x87));
        e.vectors &= ~63u;
        return e;
    }
    void use() const { __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(vectors), "m"(x87)); }
};
const float_environment KERNEL_FLOATS = {0x1f80, 0x37f};
#elif defined(__aarch64__)
struct float_environment {
    unsigned long control; /* FPCR */

    bool operator!=(const float_environment &e) const { return control != e.control; }
    static float_environment now() {
        float_environment e;
        __asm__ volatile("mrs %0, fpcr" : "=r"(e.control));
        return e;
    }
    void use() const { __asm__ volatile("msr fpcr, %0" : : "r"(control)); }
};
const float_environment KERNEL_FLOATS = {0};
#else
struct float_environment { /* not kept apart */
    bool operator!=(const float_environment &) const { return false; }
    static float_environment now() { return {}; }
    void use() const {}
};
const float_environment KERNEL_FLOATS = {};
#endif

} // namespace cudacpu
#endif
