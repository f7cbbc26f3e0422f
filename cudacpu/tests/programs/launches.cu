/* launches.cu - launches as nvcc takes them: arguments with constructors, references, statements in
 * the configuration, a host function of a kernel's name.
 *
 * Covers: arguments with destructors, reference parameters, statements in a configuration, a host
 * function of a kernel's name, objects that are converted to a parameter, `double extern __shared__
 * values[]`, `extern double __shared__ values[]`, stores through a pointer to another type, braces
 * for an overloaded kernel, bit-fields, packed members, a literal 0 for a class, comparisons and
 * shifts among a template's arguments, launches before `main`, parameters without names, pointers
 * to members. */
#include <stdio.h>
#include <type_traits>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        cudaDeviceSynchronize();                                                                   \
        if (!(condition)) {                                                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition);                                 \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int made, gone;
struct buffer {
    int *data;
    explicit buffer(int *p) : data(p) { made++; }
    buffer(const buffer &other) : data(other.data) { made++; }
    ~buffer() { gone++; }
};

/* An array that cannot be copied, but gives its address. */
struct owner {
    int *data;
    explicit owner(int *p) : data(p) {}
    owner(const owner &) = delete;
    ~owner() { gone++; }
    operator int *() const { return data; }
};

__global__ void fill(buffer b, int value) {
    b.data[threadIdx.x] = value;
    b.data = nullptr; /* a thread's own */
}
__managed__ int total, step = 3;
__global__ void count(const int &by, int &sum) { atomicAdd(&sum, by); }
__global__ void reverse(double *p) {
    double extern __shared__ values[];
    __shared__ alignas(16) float four[4];
    values[threadIdx.x] = threadIdx.x;
    four[threadIdx.x % 4] = 1;
    __syncthreads();
    p[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x] + four[0];
}
template <class T> struct pair { T first, second; };
__global__ void reverse_pairs(double *p) {
    extern pair<double> __shared__ pairs[];
    extern const volatile double __shared__ words[]; /* the same memory */
    pairs[threadIdx.x] = {1.0 * threadIdx.x, 0.5};
    __syncthreads();
    p[threadIdx.x] = words[2 * (blockDim.x - 1 - threadIdx.x)] + pairs[threadIdx.x].second;
}
__global__ void add(int *p, int value) { *p += value; }
static void add(int *p, float value, int times) {
    for (int i = 0; i < times; i++)
        add<<<1, 1>>>(p, (int)value);
}
/* Half of all vectorized kernels store through a pointer to another type. */
__global__ void by_fours(int *p) {
    p[0] = 1;
    *reinterpret_cast<int4 *>(p) = make_int4(100, 0, 0, 0);
    p[1] = p[0] + 1;
}

/* A launch before main(). */
static int *make_early() {
    int *p;
    cudaMallocManaged(&p, 2 * sizeof *p);
    p[0] = p[1] = 0;
    return p;
}
static int *const early = make_early();
static const int launched = (add<<<1, 1>>>(early, 3), 1);
struct launches_itself {
    launches_itself() { add<<<1, 1>>>(early + 1, 4); }
};
static const launches_itself object;

struct number { /* a literal 0 is given to the second constructor */
    int value;
    number() : value(7) {}
    number(int given) : value(given) {}
    number(const number &other) : value(other.value) {}
    ~number() {}
};
struct movable {
    int value;
    explicit movable(int given) : value(given) {}
    movable(movable &&) = default;
};
struct bits {
    unsigned low : 5, high : 7;
};
struct __attribute__((packed)) tight {
    char letter;
    int value;
};
struct constants {
    static const int SIZE = 4; /* without a definition */
};
struct point {
    int x, y;
    __host__ __device__ int plus(int n) const { return x + n; }
};
template <class T> struct texture { /* CUDA 12 has none */
    T value;
};
__global__ void set(int *set, number n) { *set = n.value; } /* the kernel's name, hidden */
__global__ void place(int *to, point at) { *to = at.x * 10 + at.y; }
__global__ void place(float *to, point at) { *to = (float)at.x; }
__global__ void unnamed(int *to, int, float (*)(float), const unsigned[]) { *to = 11; }
__global__ void member(int *to, point at, int point::*of, number number::*) { *to = at.*of; }
__global__ void member(int *to, point at, int (point::*f)(int) const) { *to = (at.*f)(3); }
__global__ void take(int *to, movable m, texture<int> t) { *to = m.value + t.value; }
template <bool B> __global__ void choose(int *to) { *to = B ? 1 : 2; }
template <int N> __global__ void constant(int *to) {
    int own[N > 0 ? N : 1], *all = own; /* observed, an object has it */
    all[N - 1] = N;
    *to = own[N - 1];
}
template <class T, typename std::enable_if<(sizeof(T) > 4), int>::type = 0>
__global__ void measure(int *to, T) {
    *to = 8;
}
template <class T, typename = typename std::enable_if<sizeof(T) <= 4>::type, class... More>
__global__ void measure(int *to, T, More... more) {
    *to = (4 + ... + more);
}
template <class T> struct wrapped {};
template <class T> static int count_blocks(int n) { return n; }
template <class T, int A, int B> static T pick() { return A * 10 + B + 1; }
constexpr int FIVE = 5, count_of = 2;
static int calls;
static int four() {
    calls++;
    return 4;
}
static void launch_with_braces(int *p) {
    int own = 3;
    place<<<1, 2>>>(p, {own, four()});
    own = 9;
}
#define GIVES(value, ...)                                                                          \
    __VA_ARGS__;                                                                                   \
    EXPECT(*p == value)
static int try_arguments(int *p) {
    bits b = {3, 9};
    tight t = {1, 42};
    launch_with_braces(p);
    EXPECT(*p == 34 && calls == 1);
    EXPECT(early[0] == 3 && early[1] == 4 && launched);
    GIVES(0, set<<<1, 1>>>(p, 0));
    GIVES(9, set<<<1, 1>>>(p, b.high));
    GIVES(42, set<<<1, 1>>>(p, t.value));
    GIVES(4, set<<<1, 1>>>(p, constants::SIZE));
    GIVES(4, set<<<1, 1>>>(p, pick<int, 0, 3>()));
    GIVES(11, unnamed<<<1, 1>>>(p, 0, nullptr, 0));
    GIVES(2, member<<<1, 1>>>(p, {1, 2}, &point::y, nullptr));
    GIVES(4, member<<<1, 1>>>(p, {1, 2}, &point::plus));
    GIVES(5, take<<<1, 1>>>(p, movable(2), texture<int>{3}));
    GIVES(1, choose<(FIVE > 3)><<<1, 1>>>(p));
    GIVES(1, choose<FIVE >= 5><<<1, 1>>>(p));
    GIVES(2, choose < FIVE<3><<<1, 1>>>(p));
    GIVES(1, choose < count_of<3><<<1, 1>>>(p));
    GIVES(16, constant<1 << 4><<<1, 1>>>(p));
    GIVES(2, constant<(FIVE >> 1)><<<1, 1>>>(p));
    GIVES(7, constant<7><<<count_blocks<wrapped<wrapped<int>>>(2), 3>>>(p));
    GIVES(6, constant<6><<<FIVE<3 ? 1 : 2, FIVE> 3 ? 1 : 2>>>(p));
    GIVES(8, measure<<<1, 1>>>(p, 1.0));
    GIVES(9, measure<<<1, 1>>>(p, 1, 2, 3));
    int *add = p; /* a kernel's name */
    GIVES(12, FIVE > 3 ? place<<<1, 1>>>(add, {1, 2}) : place<<<1, 1>>>(p, {3, 4}));
    return 0;
}

int main() {
    int *p;
    double *q;
    cudaMallocManaged(&p, 64 * sizeof *p);
    cudaMallocManaged(&q, 64 * sizeof *q);
    {
        buffer b(p);
        fill<<<1, [&] {
            int warps = 2;
            return warps * 32;
        }()>>>(b, 5);
        EXPECT(p[63] == 5 && made == 2 && gone == 1);
    }
    EXPECT(gone == 2);
    {
        owner o(p);
        by_fours<<<1, 1>>>(o);
        EXPECT(p[0] == 100 && gone == 2);
    }
    EXPECT(gone == 3);
    count<<<1, 64>>>(step, total);
    EXPECT(total == 192);
    reverse<<<1, 64, 64 * sizeof *q>>>(q);
    EXPECT(q[0] == 64 && q[63] == 1);
    reverse_pairs<<<1, 32, 64 * sizeof *q>>>(q);
    EXPECT(q[0] == 31.5 && q[31] == 0.5);
    add(p, 3.5f, 2);
    EXPECT(p[0] == 106);
    by_fours<<<1, 1>>>(p);
    EXPECT(p[0] == 100 && p[1] == 101);
    if (try_arguments(p))
        return 1;
    cudaFree(early);
    cudaFree(p);
    cudaFree(q);
    puts("ok");
    return 0;
}
