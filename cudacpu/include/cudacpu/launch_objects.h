/* launch_objects.h - arguments of a launch that are more than bytes. As nvcc's launch does: each is
 * constructed once and destroyed once, by the host, when the launch has been issued; a thread of
 * the kernel gets its bytes, and destroys nothing. A reference is the host's address. */
#ifndef CUDACPU_LAUNCH_OBJECTS_H
#define CUDACPU_LAUNCH_OBJECTS_H
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cudacpu {

/* The C++ ABI passes such an object by its address, which is how a thread is given its bytes. */
template <class T>
constexpr bool is_passed_by_address =
    !std::is_trivially_destructible<T>::value ||
    (std::is_copy_constructible<T>::value && !std::is_trivially_copy_constructible<T>::value) ||
    (std::is_move_constructible<T>::value && !std::is_trivially_move_constructible<T>::value);

template <class P> struct parameter {
    typedef typename std::remove_cv<P>::type type;
    typedef typename std::conditional<is_passed_by_address<type>, type &, type>::type passed;
    alignas(type) unsigned char bytes[sizeof(type)];
    void keep(const type &value) {
        std::memcpy(bytes, (const void *)std::addressof(value), sizeof value);
    }
    const void *pointer() const {
        if constexpr (std::is_pointer<type>::value)
            return (const void *)pass();
        return nullptr;
    }
    type &pass() const { return *reinterpret_cast<type *>(const_cast<unsigned char *>(bytes)); }
};
template <class P> struct parameter<P &> {
    typedef P &passed;
    P *address;
    void keep(P &value) { address = std::addressof(value); }
    const void *pointer() const { return (const void *)address; }
    P &pass() const { return *address; }
};
template <class P> struct parameter<P &&> : parameter<P &> {};

template <class F> struct has_objects : std::false_type {};
template <class... P>
struct has_objects<void (*)(P...)>
    : std::integral_constant<bool,
                             ((std::is_reference<P>::value || is_passed_by_address<P>) || ...)> {};
/* Braces among a launch's arguments: what make initializes with them, once its type is known. */
template <class T> struct braces_of { typedef T type; };
template <class F> struct braced {
    F make;
    template <class T> operator T() const { return make(braces_of<T>()); }
};
template <class F> braced<F> make_braced(F make) { return {make}; }
template <class A> constexpr bool is_braced = false;
template <class F> constexpr bool is_braced<braced<F>> = true;

/* Is an object converted to a parameter of another type? That too happens once. */
template <class P, class A>
constexpr bool is_converted =
    is_braced<typename std::decay<A>::type> ||
    (std::is_class<typename std::decay<A>::type>::value &&
     !std::is_trivially_copyable<typename std::decay<A>::type>::value &&
     !std::is_same<typename std::decay<A>::type, typename std::decay<P>::type>::value);
template <class F, class... A> struct takes_all : std::false_type {};
template <class... P, class... A>
struct takes_all<void (*)(P...), A...>
    : std::integral_constant<bool, sizeof...(P) == sizeof...(A)> {};
template <class F, class... A> struct has_converted : std::false_type {};
template <class... P, class... A>
struct has_converted<void (*)(P...), A...>
    : std::integral_constant<bool, (is_converted<P, A> || ...)> {};

/* A kernel and the bytes of its arguments. */
template <class... P> struct thread_with_objects {
    void (*function)(P...);
    std::tuple<parameter<P>...> arguments;

    template <size_t... I> void call(std::index_sequence<I...>) const {
        const auto own = arguments; /* a thread may change its parameters */
        reinterpret_cast<void (*)(typename parameter<P>::passed...)>((void *)function)(
            std::get<I>(own).pass()...);
    }
    void operator()() const { call(std::index_sequence_for<P...>()); }
};

} // namespace cudacpu
#endif
