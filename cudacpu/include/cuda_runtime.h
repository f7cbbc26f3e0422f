/* cuda_runtime.h - CUDA for a machine without a GPU: kernels run on the CPU. In C this is the
 * runtime API alone; in C++ also what a kernel file needs. How it works: README.md beside this
 * file. */
#ifndef CUDACPU_RUNTIME_H
#define CUDACPU_RUNTIME_H
#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include <cstdint>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS /* C++17's std::riemann_zeta and the like: half of what the     \
                                      compiler would read here */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <type_traits>
#include <utility>

/* __shared__, extern __shared__ and <<< >>> are what C++ cannot parse: cpucc rewrites those. */
#define __CUDACC__ 1
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))

/* ---- coordinates
 * ------------------------------------------------------------------------------------------ */

namespace cudacpu {

struct coordinates {
    uint3 thread;
    unsigned number; /* of the thread in its block */
    uint3 block;
    dim3 block_dim, grid_dim;
};

} // namespace cudacpu

/* Thread-local variables of the program itself lie at a known distance from the thread's base; a
 * library has to ask. */
#if defined(__PIC__) && !defined(__PIE__)
#define CUDACPU_THREAD __thread
#else
#define CUDACPU_THREAD __thread __attribute__((tls_model("local-exec")))
#endif
extern CUDACPU_THREAD char cudacpu_coordinates_storage[sizeof(cudacpu::coordinates)]
    __attribute__((aligned(16)));
extern CUDACPU_THREAD char *cudacpu_dynamic_shared;

#include "cudacpu/fiber.h"

namespace cudacpu {
static inline const coordinates &here() {
    return *reinterpret_cast<const coordinates *>(cudacpu_coordinates_storage);
}

/* extern __shared__ T x[]; at namespace scope. */
template <class T> struct dynamic_array {
    operator T *() const { return reinterpret_cast<T *>(cudacpu_dynamic_shared); }
};
} // namespace cudacpu

#define threadIdx (::cudacpu::here().thread)
#define blockIdx (::cudacpu::here().block)
#define blockDim (::cudacpu::here().block_dim)
#define gridDim (::cudacpu::here().grid_dim)
static const int warpSize = 32;

/* ---- barriers, votes and shuffles
 * --------------------------------------------------------------------------- */

namespace cudacpu {

enum reduction { REDUCE_COUNT, REDUCE_AND, REDUCE_OR };
enum warp_operation {
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_BALLOT,
    WARP_MATCH,
    WARP_ADD,
    WARP_MIN,
    WARP_MAX,
    WARP_AND,
    WARP_OR,
    WARP_XOR
};

void barrier(const site *where);
int barrier_reduce(reduction operation, int predicate, const char *file, int line);
uint64_t warp(unsigned mask, warp_operation operation, uint64_t value, int source, const char *file,
              int line);
unsigned active_mask();
[[noreturn]] void trap(const char *file, int line);
int lane();

template <class T>
T shuffle(unsigned mask, T value, int source, bool inside, const char *file, int line) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = warp(mask, WARP_SHUFFLE, bits, inside ? source : lane(), file, line);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace cudacpu

#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

#if defined(CUDACPU_FIBER_SETJMP) || defined(CUDACPU_INSPECT)
#define CUDACPU_WAIT ::cudacpu::barrier
#else
#define CUDACPU_WAIT ::cudacpu::wait_at
#endif
#define __syncthreads()                                                                            \
    (__extension__({                                                                               \
        static const ::cudacpu::site cudacpu_here = {__FILE__, __LINE__};                          \
        CUDACPU_WAIT(&cudacpu_here);                                                               \
    }))
static inline int __syncthreads_count(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_COUNT, predicate, file, line);
}
static inline int __syncthreads_and(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_AND, predicate, file, line);
}
static inline int __syncthreads_or(int predicate, CUDACPU_SITE) {
    return ::cudacpu::barrier_reduce(::cudacpu::REDUCE_OR, predicate, file, line);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu, CUDACPU_SITE) {
    ::cudacpu::warp(mask, ::cudacpu::WARP_SYNC, 0, 0, file, line);
}
template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDACPU_SITE) {
    int base = ::cudacpu::lane() & ~(width - 1);
    return ::cudacpu::shuffle(mask, value, base + (source & (width - 1)), true, file, line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() - (int)delta, base = ::cudacpu::lane() & ~(width - 1);
    return ::cudacpu::shuffle(mask, value, source, source >= base, file, line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() + (int)delta, end = (::cudacpu::lane() & ~(width - 1)) + width;
    return ::cudacpu::shuffle(mask, value, source, source < end, file, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, CUDACPU_SITE) {
    int source = ::cudacpu::lane() ^ lanes, end = (::cudacpu::lane() & ~(width - 1)) + width;
    return ::cudacpu::shuffle(mask, value, source, source < end, file, line);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return (unsigned)::cudacpu::warp(mask, ::cudacpu::WARP_BALLOT, predicate != 0, 0, file, line);
}
static inline int __any_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return __ballot_sync(mask, predicate, file, line) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, CUDACPU_SITE) {
    return __ballot_sync(mask, !predicate, file, line) == 0;
}
static inline unsigned __activemask() { return ::cudacpu::active_mask(); }
template <class T> unsigned __match_any_sync(unsigned mask, T value, CUDACPU_SITE) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return (unsigned)::cudacpu::warp(mask, ::cudacpu::WARP_MATCH, bits, 0, file, line);
}
#define CUDACPU_WARP_REDUCE(name, operation)                                                       \
    static inline unsigned name(unsigned mask, unsigned value, CUDACPU_SITE) {                     \
        return (unsigned)::cudacpu::warp(mask, ::cudacpu::operation, value, 0, file, line);        \
    }
CUDACPU_WARP_REDUCE(__reduce_add_sync, WARP_ADD)
CUDACPU_WARP_REDUCE(__reduce_min_sync, WARP_MIN)
CUDACPU_WARP_REDUCE(__reduce_max_sync, WARP_MAX)
CUDACPU_WARP_REDUCE(__reduce_and_sync, WARP_AND)
CUDACPU_WARP_REDUCE(__reduce_or_sync, WARP_OR)
CUDACPU_WARP_REDUCE(__reduce_xor_sync, WARP_XOR)
#undef CUDACPU_WARP_REDUCE

static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
[[noreturn]] static inline void __trap(CUDACPU_SITE) { ::cudacpu::trap(file, line); }

/* ---- atomics
 * ------------------------------------------------------------------------------------------------
 */

namespace cudacpu {
template <class T, class F> __forceinline__ T atomic_update(T *address, F update) {
    T old, next;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
        next = update(old);
    while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    return old;
}
template <class T> struct same { typedef T type; };
} // namespace cudacpu

#define CUDACPU_ATOMIC(name, expression)                                                           \
    template <class T>                                                                             \
    __forceinline__ T name(T *address, typename ::cudacpu::same<T>::type value) {                  \
        return ::cudacpu::atomic_update(address, [&](T old) -> T { return expression; });          \
    }
CUDACPU_ATOMIC(atomicAdd, old + value)
CUDACPU_ATOMIC(atomicSub, old - value)
CUDACPU_ATOMIC(atomicExch, ((void)old, value))
CUDACPU_ATOMIC(atomicMin, value < old ? value : old)
CUDACPU_ATOMIC(atomicMax, old < value ? value : old)
CUDACPU_ATOMIC(atomicAnd, old &value)
CUDACPU_ATOMIC(atomicOr, old | value)
CUDACPU_ATOMIC(atomicXor, old ^ value)
CUDACPU_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
CUDACPU_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef CUDACPU_ATOMIC
template <class T>
__forceinline__ T atomicCAS(T *address, typename ::cudacpu::same<T>::type compare,
                            typename ::cudacpu::same<T>::type value) {
    __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return compare;
}

/* ---- arithmetic
 * --------------------------------------------------------------------------------------------- */

static inline int min(int a, int b) { return b < a ? b : a; }
static inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
static inline long min(long a, long b) { return b < a ? b : a; }
static inline unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
static inline long long min(long long a, long long b) { return b < a ? b : a; }
static inline unsigned long long min(unsigned long long a, unsigned long long b) {
    return b < a ? b : a;
}
static inline float min(float a, float b) { return fminf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline int max(int a, int b) { return a < b ? b : a; }
static inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
static inline long max(long a, long b) { return a < b ? b : a; }
static inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
static inline long long max(long long a, long long b) { return a < b ? b : a; }
static inline unsigned long long max(unsigned long long a, unsigned long long b) {
    return a < b ? b : a;
}
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }

static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline double rsqrt(double a) { return 1.0 / sqrt(a); }
#define __expf(a) expf(a)
#define __logf(a) logf(a)
#define __sinf(a) sinf(a)
#define __cosf(a) cosf(a)
#define __powf(a, b) powf(a, b)
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float a) { return a < 0 || a != a ? 0 : a > 1 ? 1 : a; }
static inline int __float2int_rn(float a) { return (int)lrintf(a); }
static inline int __float2int_rz(float a) { return (int)a; }
static inline float __int2float_rn(int a) { return (float)a; }
static inline int __float_as_int(float a) {
    int b;
    std::memcpy(&b, &a, 4);
    return b;
}
static inline unsigned __float_as_uint(float a) {
    unsigned b;
    std::memcpy(&b, &a, 4);
    return b;
}
static inline float __int_as_float(int a) {
    float b;
    std::memcpy(&b, &a, 4);
    return b;
}
static inline float __uint_as_float(unsigned a) {
    float b;
    std::memcpy(&b, &a, 4);
    return b;
}
static inline long long __double_as_longlong(double a) {
    long long b;
    std::memcpy(&b, &a, 8);
    return b;
}
static inline double __longlong_as_double(long long a) {
    double b;
    std::memcpy(&b, &a, 8);
    return b;
}
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline unsigned __brev(unsigned a) {
    unsigned b = 0;
    for (int i = 0; i < 32; i++)
        b |= (a >> i & 1) << (31 - i);
    return b;
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline int __mul24(int a, int b) { return a * b; }
static inline int __dp4a(int a, int b, int sum) {
    for (int i = 0; i < 32; i += 8)
        sum += (signed char)(a >> i) * (signed char)(b >> i);
    return sum;
}
template <class T> T __ldg(const T *address) { return *address; }
long long clock64();

/* ---- launches
 * ------------------------------------------------------------------------------------------------
 */

namespace cudacpu {

/* What a launch needs to know of its kernel: run calls one CUDA thread of it. */
struct kernel {
    const char *name;
    const void *address; /* NULL when the name alone does not tell which function it is */
    void (*run)(const void *arguments);
    const void *arguments;
};

void launch(const kernel &k, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
            const char *file, int line);
void check_pointer(const char *name, int position, const void *pointer);

/* A literal 0 among a launch's arguments: a number or a null pointer, as the kernel wants it. */
struct zero {
    template <class T> operator T() const { return T(); }
};

struct address_of {
    template <class R, class... P> const void *operator()(R (*function)(P...)) const {
        static_assert(std::is_void<R>::value, "a kernel returns void");
        static_assert(!(std::is_reference<P>::value || ...),
                      "a kernel takes no references: it runs in other memory");
        return reinterpret_cast<const void *>(function);
    }
};

struct launcher {
    const char *name, *file;
    int line;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;

    explicit launcher(const char *kernel, const char *where = __builtin_FILE(),
                      int number = __builtin_LINE())
        : name(kernel), file(where), line(number), grid(), block(), shared_bytes(0), stream(0) {}

    launcher configure(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = 0) const {
        launcher configured = *this;
        configured.grid = g;
        configured.block = b;
        configured.shared_bytes = bytes;
        configured.stream = s;
        return configured;
    }

    template <class A> void check(int position, const A &argument) const {
        if constexpr (std::is_pointer<A>::value &&
                      !std::is_function<typename std::remove_pointer<A>::type>::value)
            check_pointer(name, position, (const void *)argument);
        else
            (void)position, (void)argument;
    }

    template <class T> static void run(const void *thread) { (*static_cast<T *>(thread))(); }

    /* cpucc writes k<<<g, b>>>(x) as launcher("k").configure(g, b)(get, call, x), where get names
     * the kernel and call calls it. The arguments are evaluated once, here, and copied. */
    template <class G, class F, class... A> void operator()(G get, F call, A... arguments) const {
        const auto thread = [&call, arguments...] { call(arguments...); };
        kernel k;
        k.name = name;
        k.address = nullptr;
        if constexpr (std::is_invocable<G, address_of>::value)
            k.address = get(address_of());
        (void)get;
        k.run = run<decltype(thread)>;
        k.arguments = &thread;
        int position = 0;
        (check(++position, arguments), ...);
        (void)position;
        launch(k, grid, block, shared_bytes, stream, file, line);
    }
};

} // namespace cudacpu

/* ---- the typed faces of the API, as in NVIDIA's header
 * --------------------------------------------------------- */

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return cudaMalloc((void **)pointer, bytes);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned = 0) {
    return cudaMallocHost((void **)pointer, bytes);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class R, class... P>
cudaError_t cudaFuncSetAttribute(R (*function)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class R, class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, R (*function)(P...)) {
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class R, class... P>
cudaError_t cudaFuncSetCacheConfig(R (*function)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void *)function, config);
}

namespace cudacpu {
cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, nullptr, src, bytes, offset, true,
                                  kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudacpu::copy_symbol((char *)&symbol, sizeof symbol, dst, nullptr, bytes, offset,
                                  false, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = 0) {
    return cudaMemcpyToSymbol(symbol, src, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t = 0) {
    return cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    *pointer = (void *)&symbol;
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}

#endif /* __cplusplus */
#endif
