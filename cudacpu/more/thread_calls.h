/* thread_calls.h - the calls where stream 0 is that of the thread: the same ones under another
 * symbol (cudacpu/default_stream.h). */
#ifndef CUDACPU_RUNTIME_THREAD_CALLS_H
#define CUDACPU_RUNTIME_THREAD_CALLS_H
#include "runtime/api/calls.h"
#include <tuple>

namespace cudacpu {

template <class Call, size_t i> struct parameter;
template <class... P, size_t i>
struct parameter<cudaError_t(P...), i> : std::tuple_element<i, std::tuple<P...>> {};

template <class T> T of_thread(T argument) { return argument; }
inline cudaStream_t of_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

} // namespace cudacpu

/* Of a call with so many parameters, each of the type that it has in the call. */
#define PARAMETER(name, i) cudacpu::parameter<decltype(name), i>::type p##i
#define PARAMETERS_1(name) PARAMETER(name, 0)
#define PARAMETERS_2(name) PARAMETERS_1(name), PARAMETER(name, 1)
#define PARAMETERS_3(name) PARAMETERS_2(name), PARAMETER(name, 2)
#define PARAMETERS_4(name) PARAMETERS_3(name), PARAMETER(name, 3)
#define PARAMETERS_5(name) PARAMETERS_4(name), PARAMETER(name, 4)
#define PARAMETERS_6(name) PARAMETERS_5(name), PARAMETER(name, 5)
#define PARAMETERS_7(name) PARAMETERS_6(name), PARAMETER(name, 6)
#define PARAMETERS_8(name) PARAMETERS_7(name), PARAMETER(name, 7)
#define PARAMETERS_9(name) PARAMETERS_8(name), PARAMETER(name, 8)
#define ARGUMENTS_1 cudacpu::of_thread(p0)
#define ARGUMENTS_2 ARGUMENTS_1, cudacpu::of_thread(p1)
#define ARGUMENTS_3 ARGUMENTS_2, cudacpu::of_thread(p2)
#define ARGUMENTS_4 ARGUMENTS_3, cudacpu::of_thread(p3)
#define ARGUMENTS_5 ARGUMENTS_4, cudacpu::of_thread(p4)
#define ARGUMENTS_6 ARGUMENTS_5, cudacpu::of_thread(p5)
#define ARGUMENTS_7 ARGUMENTS_6, cudacpu::of_thread(p6)
#define ARGUMENTS_8 ARGUMENTS_7, cudacpu::of_thread(p7)
#define ARGUMENTS_9 ARGUMENTS_8, cudacpu::of_thread(p8)

#define OF_THREAD(name, count)                                                                     \
    cudaError_t name##_ptsz(PARAMETERS_##count(name)) { return name(ARGUMENTS_##count); }
/* It waits, and takes no stream. */
#define WAIT_IN_THREAD(name, count)                                                                \
    cudaError_t name##_ptsz(PARAMETERS_##count(name)) {                                            \
        cudacpu::waits_in_thread = __builtin_return_address(0);                                    \
        const cudaError_t error = name(ARGUMENTS_##count);                                         \
        cudacpu::waits_in_thread = nullptr;                                                        \
        return error;                                                                              \
    }
#endif
