/* launch.h - a launch: what cpucc makes of k<<<grid, block>>>(...). */
#ifndef CUDACPU_LAUNCH_H
#define CUDACPU_LAUNCH_H
#include "cuda_runtime_api.h"
#include "cudacpu/launch_objects.h"
#ifdef CUDACPU_INSPECT
#include "cudacpu/structures.h"
#endif
#include <type_traits>
#include <utility>

namespace cudacpu {

/* What a launch needs to know of its kernel: run calls one CUDA thread of it. A launch that waits
 * in a stream keeps a copy of the arguments. */
struct kernel {
    const char *name;
    const void *address; /* NULL when the name alone does not tell which function it is */
    void (*run)(const void *arguments);
    const void *arguments;
    size_t argument_bytes;
    void *(*copy)(const void *arguments);
    void (*destroy)(void *copied);
    dim3 cluster;      /* blocks that run together: __cluster_dims__ */
    bool begins_early; /* programmatic dependent launch: it may overlap the kernel before it */
    bool cooperative;  /* its blocks wait for each other: they run as one cluster */
};

/* The error that cudaGetLastError tells too. */
cudaError_t launch(const kernel &k, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                   const char *file, int line);
void check_pointer(const char *name, int position, const void *pointer);
/* A launch by a null pointer: a sentence, and the end of the program, which crashes with nvcc. */
[[noreturn]] void refuse_null_kernel(const char *name, const char *file, int line);

/* A literal 0 among a launch's arguments: a number or a null pointer, as the kernel wants it. */
struct zero {
    template <class T> operator T() const { return T(); }
};

struct address_of {
    template <class R, class... P> const void *operator()(R (*function)(P...)) const {
        static_assert(std::is_void<R>::value, "a kernel returns void");
        return reinterpret_cast<const void *>(function);
    }
};

template <class T> struct same_type { typedef T type; };
struct function_of {
    template <class... P> auto operator()(void (*function)(P...)) const { return function; }
};

/* Is the name that of a pointer? It is read when the launch is issued. */
struct is_pointer_variable {
    template <class F>
    auto operator()(F &&) const -> std::is_pointer<typename std::remove_reference<F>::type>;
};
template <class G> constexpr bool names_pointer() {
    if constexpr (std::is_invocable<G, is_pointer_variable>::value &&
                  std::is_invocable<G, function_of>::value)
        return decltype(std::declval<G>()(is_pointer_variable()))::value;
    return false;
}

template <class... P> struct pointer_launcher;
struct no_launcher {
    template <class... P> void operator()(P &&...) const {}
};

struct launcher {
    const char *name, *file;
    int line;
    dim3 grid, block, blocks_in_cluster;
    size_t shared_bytes;
    cudaStream_t stream;
    bool begins_early, is_cooperative;

    explicit launcher(const char *kernel, const char *where = __builtin_FILE(),
                      int number = __builtin_LINE())
        : name(kernel), file(where), line(number), grid(), block(), blocks_in_cluster(),
          shared_bytes(0), stream(0), begins_early(false), is_cooperative(false) {}

    launcher configure(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = 0,
                       cudaStream_t default_stream = CUDACPU_DEFAULT_STREAM) const {
        launcher configured = *this;
        configured.grid = g;
        configured.block = b;
        configured.shared_bytes = bytes;
        configured.stream = s ? s : default_stream;
        return configured;
    }

    launcher cluster(dim3 blocks) const {
        launcher configured = *this;
        configured.blocks_in_cluster = blocks;
        return configured;
    }

    launcher early(bool allowed) const {
        launcher configured = *this;
        configured.begins_early = allowed;
        return configured;
    }

    launcher cooperative(bool wanted) const {
        launcher configured = *this;
        configured.is_cooperative = wanted;
        return configured;
    }

    template <class A> void check(int position, const A &argument) const {
        if constexpr (std::is_pointer<A>::value &&
                      !std::is_function<typename std::remove_pointer<A>::type>::value)
            check_pointer(name, position, (const void *)argument);
        else
            (void)position, (void)argument;
        tell(argument);
    }
    /* What lies behind a pointer, which inspect wants to know. */
    template <class A> static void tell(const A &argument) {
#ifdef CUDACPU_INSPECT
        if constexpr (std::is_pointer<A>::value)
            tell_structure((const typename std::remove_pointer<A>::type *)argument);
#endif
        (void)argument;
    }

    template <class T> static void run(const void *thread) { (*static_cast<T *>(thread))(); }
    template <class T> static void *copy(const void *thread) {
        return new T(*static_cast<const T *>(thread));
    }
    template <class T> static void destroy(void *copied) { delete static_cast<T *>(copied); }

    /* cpucc writes k<<<g, b>>>(x) as launcher("k").configure(g, b)(get, call, x), where get names
     * the kernel and call calls it. The arguments are evaluated once, here, and copied. */
    template <class G, class F, class... A> void operator()(G get, F call, A &&...arguments) const {
        start(get, call, std::forward<A>(arguments)...);
    }
    template <class G, class F, class... A>
    cudaError_t start(G get, F call, A &&...arguments) const {
        if constexpr (names_pointer<G>()) {
            return at(get(function_of())).start(std::forward<A>(arguments)...);
        } else if constexpr (std::is_invocable<G, function_of>::value) {
            typedef decltype(get(function_of())) function;
            if constexpr (takes_all<function, A...>::value) {
                if constexpr (has_objects<function>::value || has_converted<function, A...>::value)
                    return keep(*this, get(function_of()), std::forward<A>(arguments)...);
                else
                    return start_copies(get, call, std::forward<A>(arguments)...);
            } else
                return start_copies(get, call, std::forward<A>(arguments)...);
        } else {
            return start_copies(get, call, std::forward<A>(arguments)...);
        }
    }

    /* cpucc writes table[i]<<<g, b>>>(x) as launcher("table[i]").configure(g, b).at(table[i])(x):
     * the expression is evaluated once, after the configuration and before the arguments. */
    template <class R, class... P> pointer_launcher<P...> at(R (*function)(P...)) const;
    template <class T, class = typename std::enable_if<std::is_class<T>::value>::type>
    no_launcher at(const T &) const {
        static_assert(!std::is_class<T>::value,
                      "a launch needs a kernel before <<<, or a pointer to one; this is an object");
        return {};
    }

  private:
    /* The parameters live as long as this call. */
    template <class... P>
    static cudaError_t keep(const launcher &l, void (*function)(P...),
                            typename same_type<P>::type... arguments) {
        thread_with_objects<P...> thread;
        thread.function = function;
        std::apply([&](auto &...kept) { (kept.keep(arguments), ...); }, thread.arguments);
        (tell(arguments), ...);
        int position = 0;
        std::apply([&](auto &...kept) { (check_pointer(l.name, ++position, kept.pointer()), ...); },
                   thread.arguments);
        return l.issue((const void *)function, thread);
    }
    /* A literal 0 is an int where the kernel's template takes its type from it: all of them if the
     * kernel can be called so, else one after the other. */
    template <class A> static A as_number(A argument) { return argument; }
    static int as_number(zero) { return 0; }
    template <size_t PLACE, size_t I, class A> static auto as_number_at(A argument) {
        if constexpr (PLACE == I)
            return as_number(argument);
        else
            return argument;
    }
    template <size_t PLACE, class G, class F, size_t... I, class... A>
    cudaError_t start_numbers(G get, F call, std::index_sequence<I...> all, A... arguments) const {
        if constexpr (PLACE == sizeof...(A))
            return start_known(get, call, arguments...);
        else if constexpr (std::is_invocable<F,
                                             decltype(as_number_at<PLACE, I>(arguments))...>::value)
            return start_numbers<PLACE + 1>(get, call, all, as_number_at<PLACE, I>(arguments)...);
        else
            return start_numbers<PLACE + 1>(get, call, all, arguments...);
    }
    template <class G, class F, class... A>
    cudaError_t start_copies(G get, F call, A... arguments) const {
        if constexpr (!(std::is_same<A, zero>::value || ...))
            return start_known(get, call, arguments...);
        else if constexpr (std::is_invocable<F, decltype(as_number(arguments))...>::value)
            return start_known(get, call, as_number(arguments)...);
        else
            return start_numbers<0>(get, call, std::index_sequence_for<A...>(), arguments...);
    }
    template <class G, class F, class... A>
    cudaError_t start_known(G get, F call, A... arguments) const {
        const auto thread = [call, arguments...] { call(arguments...); };
        int position = 0;
        (check(++position, arguments), ...);
        (void)position;
        const void *address = nullptr;
        if constexpr (std::is_invocable<G, address_of>::value)
            address = get(address_of());
        (void)get;
        return issue(address, thread);
    }
    template <class T> cudaError_t issue(const void *address, const T &thread) const {
        kernel k;
        k.name = name;
        k.address = address;
        k.run = run<const T>;
        k.arguments = &thread;
        k.argument_bytes = sizeof thread;
        k.copy = copy<T>;
        k.destroy = destroy<T>;
        k.cluster = blocks_in_cluster;
        k.begins_early = begins_early;
        k.cooperative = is_cooperative;
        return launch(k, grid, block, shared_bytes, stream, file, line);
    }
};

/* A launch by a pointer to a kernel. */
template <class... P> struct pointer_launcher {
    launcher configured;
    void (*function)(P...);

    template <class... A> void operator()(A &&...arguments) const {
        start(std::forward<A>(arguments)...);
    }
    template <class... A> cudaError_t start(A &&...arguments) const {
        const auto kernel = function;
        if (!kernel)
            refuse_null_kernel(configured.name, configured.file, configured.line);
        return configured.start(
            [=](auto get) -> decltype(get(*kernel)) { return get(*kernel); },
            [=](auto... given) -> decltype(kernel(given...)) { kernel(given...); },
            std::forward<A>(arguments)...);
    }
};
template <class R, class... P> pointer_launcher<P...> launcher::at(R (*function)(P...)) const {
    static_assert(std::is_void<R>::value, "a kernel returns void");
    return {*this, function};
}

} // namespace cudacpu
#endif
