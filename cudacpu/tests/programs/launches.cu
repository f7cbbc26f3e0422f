/* launches.cu - launches as nvcc takes them: arguments with constructors, references, statements in
 * the configuration, a host function of a kernel's name.
 *
 * Covers: arguments with destructors, reference parameters, statements in a configuration, a host
 * function of a kernel's name, objects that are converted to a parameter, `double extern __shared__
 * values[]`, `extern double __shared__ values[]`, stores through a pointer to another type. */
#include <stdio.h>

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
    cudaFree(p);
    cudaFree(q);
    puts("ok");
    return 0;
}
