/* cub.cu - what CUB computes, of a warp, of a block and of the device, against a loop.
 *
 * Header: cub/; covers: Debian's libcub-dev: of a warp and of a block (`BlockLoad`, `BlockReduce`,
 * `BlockScan`, `BlockRadixSort`, ...), of the device (`DeviceReduce`, `DeviceScan`, `DeviceSelect`,
 * `DeviceRadixSort`, `DeviceHistogram`, ...), `CachingDeviceAllocator`; not: CUB of CUDA 12 and 13.
 */
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

static const int THREADS = 128, ITEMS = 4, COUNT = 20000;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> block_load;
typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> block_store;
typedef cub::BlockRadixSort<int, THREADS, ITEMS> block_sort;

static __global__ void sort_block(const int *from, int *to) {
    __shared__ union {
        typename block_load::TempStorage load;
        typename block_store::TempStorage store;
        typename block_sort::TempStorage sort;
    } shared;
    int items[ITEMS];
    block_load(shared.load).Load(from + blockIdx.x * THREADS * ITEMS, items);
    __syncthreads();
    block_sort(shared.sort).Sort(items);
    __syncthreads();
    block_store(shared.store).Store(to + blockIdx.x * THREADS * ITEMS, items);
}

/* CUDA 13 has no functors in cub: a program brings its own. */
struct larger {
    __host__ __device__ int operator()(int x, int y) const { return x > y ? x : y; }
};
struct sum_of {
    __host__ __device__ int operator()(int x, int y) const { return x + y; }
};
struct differs {
    __host__ __device__ bool operator()(int x, int y) const { return x != y; }
};

template <cub::BlockReduceAlgorithm ALGORITHM> __global__ void sum_block(const int *from, int *to) {
    typedef cub::BlockReduce<int, THREADS, ALGORITHM> block_reduce;
    __shared__ typename block_reduce::TempStorage shared;
    const int sum = block_reduce(shared).Sum(from[threadIdx.x]);
    __syncthreads();
    const int largest = block_reduce(shared).Reduce(from[threadIdx.x], larger());
    if (threadIdx.x == 0) {
        to[0] = sum;
        to[1] = largest;
    }
}

template <cub::BlockScanAlgorithm ALGORITHM> __global__ void scan_block(const int *from, int *to) {
    typedef cub::BlockScan<int, THREADS, ALGORITHM> block_scan;
    __shared__ typename block_scan::TempStorage shared;
    int before, total;
    block_scan(shared).ExclusiveSum(from[threadIdx.x], before, total);
    to[threadIdx.x] = before + total;
}

static __global__ void warps(const int *from, int *to) {
    typedef cub::WarpReduce<int> warp_reduce;
    typedef cub::WarpScan<float> warp_scan;
    __shared__ typename warp_reduce::TempStorage sums[THREADS / 32];
    __shared__ typename warp_scan::TempStorage scans[THREADS / 32];
    const int warp = threadIdx.x / 32, sum = warp_reduce(sums[warp]).Sum(from[threadIdx.x]);
    float upto;
    warp_scan(scans[warp]).InclusiveSum((float)from[threadIdx.x], upto);
    if (threadIdx.x % 32 == 0)
        to[warp] = sum;
    to[THREADS + threadIdx.x] = (int)upto;
}

static __global__ void count_block(const int *from, int *bins, int *heads) {
    typedef cub::BlockHistogram<unsigned char, THREADS, ITEMS, 10> block_histogram;
    typedef cub::BlockDiscontinuity<int, THREADS> block_discontinuity;
    __shared__ typename block_histogram::TempStorage shared;
    __shared__ typename block_discontinuity::TempStorage flags_of;
    __shared__ int counts[10];
    unsigned char items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (unsigned char)(from[threadIdx.x * ITEMS + i] % 10);
    block_histogram(shared).Histogram(items, counts);
    __syncthreads();
    if (threadIdx.x < 10)
        bins[threadIdx.x] = counts[threadIdx.x];
    int value[1] = {(int)threadIdx.x / 5}, head[1];
    block_discontinuity(flags_of).FlagHeads(head, value, differs());
    heads[threadIdx.x] = head[0];
}

static int *from, *to, *more;
static cub::CachingDeviceAllocator allocator;

/* Calls f twice, as CUB wants it: how much memory it needs, then the work. */
template <class F> static void work(F f) {
    void *memory = nullptr;
    size_t bytes = 0;
    EXPECT(f(memory, bytes) == cudaSuccess);
    EXPECT(allocator.DeviceAllocate(&memory, bytes) == cudaSuccess);
    EXPECT(f(memory, bytes) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(allocator.DeviceFree(memory) == cudaSuccess);
}
static int at(const int *device, int i) {
    int value;
    EXPECT(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
}
static std::vector<int> copy(const int *device, int count) {
    std::vector<int> values(count);
    EXPECT(cudaMemcpy(values.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    return values;
}

static void test_blocks(const std::vector<int> &values) {
    sort_block<<<2, THREADS>>>(from, to);
    std::vector<int> sorted = values, found = copy(to, 2 * THREADS * ITEMS);
    std::sort(sorted.begin(), sorted.begin() + THREADS * ITEMS);
    EXPECT(std::equal(sorted.begin(), sorted.begin() + THREADS * ITEMS, found.begin()));
    int sum = 0, largest = 0;
    for (int i = 0; i < THREADS; i++) {
        sum += values[i];
        largest = std::max(largest, values[i]);
    }
    sum_block<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, THREADS>>>(from, to);
    EXPECT(at(to, 0) == sum && at(to, 1) == largest);
    sum_block<cub::BLOCK_REDUCE_RAKING><<<1, THREADS>>>(from, to);
    EXPECT(at(to, 0) == sum && at(to, 1) == largest);
    sum_block<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, THREADS>>>(from, to);
    EXPECT(at(to, 0) == sum && at(to, 1) == largest);
    scan_block<cub::BLOCK_SCAN_RAKING><<<1, THREADS>>>(from, to);
    EXPECT(at(to, THREADS - 1) == 2 * sum - values[THREADS - 1]);
    scan_block<cub::BLOCK_SCAN_WARP_SCANS><<<1, THREADS>>>(from, to);
    EXPECT(at(to, 0) == sum && at(to, 1) == sum + values[0]);
    warps<<<1, THREADS>>>(from, to);
    found = copy(to, 2 * THREADS);
    EXPECT(found[0] + found[1] + found[2] + found[3] == sum);
    for (int i = 31; i < THREADS; i += 32)
        EXPECT(found[THREADS + i] == found[i / 32]);
    count_block<<<1, THREADS>>>(from, to, more);
    int nines = 0;
    for (int i = 0; i < THREADS * ITEMS; i++)
        nines += values[i] % 10 == 9;
    EXPECT(at(to, 9) == nines && at(more, 4) == 0 && at(more, 5) == 1);
}

struct is_small {
    __host__ __device__ bool operator()(int x) const { return x < 100; }
};
struct is_less {
    __host__ __device__ bool operator()(int x, int y) const { return x < y; }
};
struct twice {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};

#if CUB_VERSION < 300000
typedef cub::TransformInputIterator<int, twice, int *> doubled_values;
#else
#include <thrust/iterator/transform_iterator.h>
typedef thrust::transform_iterator<twice, int *> doubled_values;
#endif

static void test_device(const std::vector<int> &values) {
    int sum = 0, small = 0;
    for (int value : values) {
        sum += value;
        small += value < 100;
    }
    work([&](void *m, size_t &b) { return cub::DeviceReduce::Sum(m, b, from, to, COUNT); });
    EXPECT(at(to, 0) == sum);
    work([&](void *m, size_t &b) { return cub::DeviceReduce::Max(m, b, from, to, COUNT); });
    EXPECT(at(to, 0) == *std::max_element(values.begin(), values.end()));
    doubled_values doubled(from, twice());
    work([&](void *m, size_t &b) { return cub::DeviceReduce::Sum(m, b, doubled, to, COUNT); });
    EXPECT(at(to, 0) == 2 * sum);
    work([&](void *m, size_t &b) { return cub::DeviceScan::InclusiveSum(m, b, from, to, COUNT); });
    EXPECT(at(to, COUNT - 1) == sum && at(to, 1) == values[0] + values[1]);
    work([&](void *m, size_t &b) {
        return cub::DeviceSelect::If(m, b, from, to, more, COUNT, is_small());
    });
    EXPECT(at(more, 0) == small && at(to, small - 1) < 100);

    std::vector<int> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    work([&](void *m, size_t &b) { return cub::DeviceRadixSort::SortKeys(m, b, from, to, COUNT); });
    EXPECT(copy(to, COUNT) == sorted);
    work([&](void *m, size_t &b) {
        return cub::DeviceRadixSort::SortPairs(m, b, from, to, from, more, COUNT, 0, 10);
    });
    EXPECT(copy(more, COUNT) == sorted);
    work([&](void *m, size_t &b) {
        return cub::DeviceMergeSort::SortKeys(m, b, more, COUNT, is_less());
    });
    EXPECT(copy(more, COUNT) == sorted);

    const int distinct = (int)(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    int *runs = more + COUNT;
    work([&](void *m, size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(m, b, to, more, more + COUNT / 2, runs, COUNT);
    });
    EXPECT(at(runs, 0) == distinct && at(more, 1) == sorted[1]);
    work([&](void *m, size_t &b) {
        return cub::DeviceReduce::ReduceByKey(m, b, to, more, to, more + COUNT / 2, runs, sum_of(),
                                              COUNT);
    });
    EXPECT(at(runs, 0) == distinct);
    work([&](void *m, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(m, b, from, more, 11, 0, 1000, COUNT);
    });
    EXPECT(at(more, 0) == small);
    const int ends[] = {0, 100, COUNT};
    EXPECT(cudaMemcpy(more, ends, sizeof ends, cudaMemcpyHostToDevice) == cudaSuccess);
    work([&](void *m, size_t &b) {
        return cub::DeviceSegmentedReduce::Sum(m, b, from, to, 2, more, more + 1);
    });
    EXPECT(at(to, 0) + at(to, 1) == sum);
}

int main() {
    std::vector<int> values(COUNT);
    for (int i = 0; i < COUNT; i++)
        values[i] = (int)(i * 7919ll % 1009 % 1000);
    EXPECT(cudaMalloc(&from, COUNT * sizeof(int)) == cudaSuccess);
    EXPECT(cudaMalloc(&to, COUNT * sizeof(int)) == cudaSuccess);
    EXPECT(cudaMalloc(&more, (COUNT + 1) * sizeof(int)) == cudaSuccess);
    EXPECT(cudaMemcpy(from, values.data(), COUNT * sizeof(int), cudaMemcpyHostToDevice) ==
           cudaSuccess);
    test_blocks(values);
    test_device(values);
    EXPECT(allocator.FreeAllCached() == cudaSuccess);
    EXPECT(cudaFree(from) == cudaSuccess && cudaFree(to) == cudaSuccess);
    EXPECT(cudaFree(more) == cudaSuccess);
    printf("all is well\n");
}
