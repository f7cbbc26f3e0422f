/* kernel.h - a kernel as its own launch stub: what cpucc makes it begin with. Called by the host,
 * it launches itself with its parameters, which are then what C++ has made of the arguments. As
 * nvcc's launch does: each is constructed once and destroyed once, by the host, when the launch has
 * been issued; a thread of the kernel gets its bytes, and destroys nothing. A reference is the
 * host's address. */
#ifndef CUDACPU_KERNEL_H
#define CUDACPU_KERNEL_H
#include "cudacpu/fiber.h"
#include "cudacpu/launch.h"
#ifdef CUDACPU_INSPECT
#include "cudacpu/local_array.h"
#include "cudacpu/structures.h"
#endif
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace cudacpu {

bool is_in_kernel();
/* The same at once; a program that is observed calls a function, which is not. */
__attribute__((always_inline)) inline bool is_on_device() {
#ifdef CUDACPU_INSPECT
    return is_in_kernel();
#else
    return cudacpu_current;
#endif
}

/* The C++ ABI passes such an object by its address, which is how a thread is given its bytes. */
template <class T>
constexpr bool is_passed_by_address =
    !std::is_trivially_destructible<T>::value ||
    (std::is_copy_constructible<T>::value && !std::is_trivially_copy_constructible<T>::value) ||
    (std::is_move_constructible<T>::value && !std::is_trivially_move_constructible<T>::value);

template <class A> void tell_pointer(const char *name, int position, A *argument) {
    if constexpr (!std::is_function<A>::value)
        check_pointer(name, position, (const void *)argument);
#ifdef CUDACPU_INSPECT
    tell_structure((const A *)argument); /* what lies behind it */
#endif
}

/* given: to the stub; passed: to a thread; read: from where cudaLaunchKernel's argument lies. */
template <class P> struct kernel_parameter {
    static constexpr bool is_copied = std::is_copy_constructible<P>::value;
    typedef P stored;
    typedef
        typename std::conditional<is_passed_by_address<P> || !is_copied, const P &, P>::type given;
    typedef typename std::conditional<is_copied, const P &, P &&>::type read;
    typedef typename std::conditional<is_passed_by_address<P>, P &, P>::type passed;
    static void put(unsigned char *bytes, const P &value) {
        std::memcpy(bytes, (const void *)__builtin_addressof(value), sizeof value);
    }
    static void tell(const char *name, int position, const P &value) {
        if constexpr (std::is_pointer<P>::value)
            tell_pointer(name, position, value);
        (void)name, (void)position, (void)value;
    }
    __attribute__((always_inline)) static P &get(unsigned char *bytes) {
        return *reinterpret_cast<P *>(bytes);
    }
};
template <class P> struct kernel_parameter<P &> {
    typedef P *stored;
    typedef P &given, &passed, &read;
    static void put(unsigned char *bytes, P &value) {
        P *address = __builtin_addressof(value);
        std::memcpy(bytes, &address, sizeof address);
    }
    static void tell(const char *name, int position, P &value) {
        tell_pointer(name, position, __builtin_addressof(value));
    }
    __attribute__((always_inline)) static P &get(unsigned char *bytes) {
        return **reinterpret_cast<P **>(bytes);
    }
};
template <class P> struct kernel_parameter<P &&> : kernel_parameter<P &> { typedef P &&read; };

/* Where a kernel's parameters lie, one after the other, and their bytes. */
template <class... P> constexpr size_t begin_of_parameter(size_t i) {
    const size_t size[] = {sizeof(typename kernel_parameter<P>::stored)..., 0},
                 alignment[] = {alignof(typename kernel_parameter<P>::stored)..., 1};
    size_t at = 0;
    for (size_t j = 0; j < i; j++)
        at = (at + alignment[j] - 1) / alignment[j] * alignment[j] + size[j];
    return (at + alignment[i] - 1) / alignment[i] * alignment[i];
}
/* Told by the compiler, also where nothing is optimized. */
template <size_t I, class... P>
constexpr size_t place_of_parameter =
    std::integral_constant<size_t, begin_of_parameter<P...>(I)>::value;
template <class... P> struct parameter_bytes {
    static constexpr size_t size[] = {sizeof(typename kernel_parameter<P>::stored)..., 0};
    alignas(typename kernel_parameter<P>::stored...) alignas(
        1) unsigned char bytes[sizeof...(P) ? begin_of_parameter<P...>(sizeof...(P)) : 1];
};

/* A kernel by its address. call calls it with arguments that lie at these addresses. */
struct known_kernel {
    const void *function;
    size_t parameters;
    const size_t *parameter_bytes;
    void (*call)(void **arguments);
    unsigned most_threads;
    dim3 cluster;
};
bool know_kernel(const known_kernel &kernel); /* always true */
bool find_kernel(const void *function, known_kernel *kernel);

/* THREADS: of __launch_bounds__, else 0; X, Y, Z: of __cluster_dims__. */
template <auto KERNEL, unsigned THREADS = 0, unsigned X = 0, unsigned Y = 1, unsigned Z = 1>
struct kernel_stub;

template <class... P, void (*KERNEL)(P...), unsigned THREADS, unsigned X, unsigned Y, unsigned Z>
struct kernel_stub<KERNEL, THREADS, X, Y, Z> {
    typedef parameter_bytes<P...> bytes;
    typedef std::index_sequence_for<P...> all;

    /* One CUDA thread. KERNEL is inlined here, without its test, where it is short. */
    static void run(const void *arguments) { run(arguments, all()); }
    template <size_t... I>
    __attribute__((always_inline)) static void run(const void *arguments,
                                                   std::index_sequence<I...>) {
#ifndef CUDACPU_INSPECT
        if (!is_on_device())
            __builtin_unreachable();
#endif
        if constexpr (!(is_passed_by_address<P> || ...)) {
            unsigned char *at = const_cast<unsigned char *>(((const bytes *)arguments)->bytes);
            KERNEL(
                static_cast<P &&>(kernel_parameter<P>::get(at + place_of_parameter<I, P...>))...);
            (void)at;
        } else {
            bytes own = *(const bytes *)arguments; /* a thread may change its parameters */
            reinterpret_cast<void (*)(typename kernel_parameter<P>::passed...)>((void *)KERNEL)(
                kernel_parameter<P>::get(own.bytes + place_of_parameter<I, P...>)...);
        }
    }
    static void *copy(const void *arguments) { return new bytes(*(const bytes *)arguments); }
    static void destroy(void *copied) { delete (bytes *)copied; }

    /* name, file, line: of the kernel itself, for launches that have none. Last, so that the
     * parameters stay in their registers. */
    __attribute__((noinline, cold)) static void
    launch(typename kernel_parameter<P>::given... arguments, const char *name, const char *file,
           int line) {
        (void)known;
        issue(take_configuration(name, file, line), all(), arguments...);
    }
    template <size_t... I>
    static void issue(configuration *c, std::index_sequence<I...>,
                      typename kernel_parameter<P>::given... arguments) {
        bytes kept;
        (kernel_parameter<P>::put(kept.bytes + place_of_parameter<I, P...>, arguments), ...);
        (kernel_parameter<P>::tell(c->name, (int)I + 1, arguments), ...);
        cudacpu::launch({c->name, (const void *)KERNEL, run, &kept, sizeof kept, copy, destroy,
                         THREADS, dim3(X, Y, Z), false, false},
                        c);
    }

    template <size_t... I> static void call_each(void **arguments, std::index_sequence<I...>) {
        (void)arguments;
        KERNEL(static_cast<typename kernel_parameter<P>::read>(
            *static_cast<typename std::remove_reference<P>::type *>(arguments[I]))...);
    }
    static void call(void **arguments) { call_each(arguments, all()); }
    static inline const bool known = know_kernel(
        {(const void *)KERNEL, sizeof...(P), bytes::size, call, THREADS, dim3(X, Y, Z)});
};

} // namespace cudacpu
#endif
