/* host_faults.cu - copies of more bytes than the host's array has, or of what nobody has written,
 * and beside each its correct twin: what inspect must find, and where.
 *
 *     host_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". Nothing else of the array is
 * used, so that without inspect most of them go unnoticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

enum { N = 1000 };
static const size_t BYTES = N * sizeof(float);

static float table[N];
static __constant__ float limits[2 * N];
static struct {
    int before;
    float row[N];
} whole;

static float *memory; /* of the device: 2 N numbers */

/* Arrays of N numbers, of which twice as many are asked. */
static void copy_to(const void *from, size_t bytes) {
    cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice);
}
static void copy_from(void *to, size_t bytes) {
    cudaMemcpy(to, memory, bytes, cudaMemcpyDeviceToHost);
}

static void from_malloc(size_t bytes) {
    float *host = (float *)malloc(BYTES);
    memset(host, 0, BYTES);
    cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice); /* fault: from_malloc */
    free(host);
}
static void to_malloc(size_t bytes) {
    float *host = (float *)malloc(BYTES);
    cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost); /* fault: to_malloc */
    free(host);
}
static void to_calloc(size_t bytes) {
    float *host = (float *)calloc(N, sizeof *host);
    cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost); /* fault: to_calloc */
    cudaDeviceSynchronize();
    free(host);
}
static void to_realloc(size_t bytes) {
    float *host = (float *)malloc(8 * BYTES);
    host = (float *)realloc(host, BYTES);
    cudaMemcpy(host, memory, bytes, cudaMemcpyDefault); /* fault: to_realloc */
    free(host);
}
static void to_aligned(size_t bytes) {
    void *host = aligned_alloc(64, BYTES / 64 * 64 + 64), *other = NULL;
    copy_from(host, BYTES);
    if (posix_memalign(&other, 256, BYTES) == 0)
        cudaMemcpy(other, memory, bytes, cudaMemcpyDeviceToHost); /* fault: to_aligned */
    free(host);
    free(other);
}
static void to_new(size_t bytes) {
    float *host = new float[N];
    cudaMemcpyFromSymbol(host, limits, bytes); /* fault: to_new */
    delete[] host;
}
static void from_vector(size_t bytes) {
    std::vector<float> host(N, 1.0f);
    cudaMemcpyToSymbol(limits, host.data(), bytes); /* fault: from_vector */
}
/* The last quarter of an array, and a number more. */
static void from_middle(size_t bytes) {
    std::vector<float> host(N, 1.0f);
    const float *part = &host[N * 3 / 4];
    copy_to(part, BYTES / 4);
    cudaMemcpy(memory, part, bytes > BYTES ? BYTES / 4 + 4 : BYTES / 4, /* fault: from_middle */
               cudaMemcpyHostToDevice);
}
static void from_static(size_t bytes) {
    copy_to(table, BYTES);
    cudaMemcpy(memory, table, bytes, cudaMemcpyHostToDevice); /* fault: from_static */
}
/* A member that is followed by nothing. */
static void from_member(size_t bytes) {
    copy_to(&whole, sizeof whole);
    cudaMemcpy(memory, whole.row, bytes, cudaMemcpyHostToDevice); /* fault: from_member */
}
static void from_pinned(size_t bytes) {
    float *host;
    cudaMallocHost(&host, BYTES);
    memset(host, 0, BYTES);
    cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice); /* fault: from_pinned */
    cudaFreeHost(host);
}
/* 10 rows of 60 numbers, 100 apart, in as many numbers as there are up to the last row's end. */
static void to_rows(size_t bytes) {
    const size_t pitch = 100 * sizeof(float), width = 60 * sizeof(float);
    std::vector<float> host(9 * 100 + 60);
    cudaMemcpy2D(host.data(), pitch, memory, width, width, /* fault: to_rows */
                 bytes > BYTES ? 11 : 10, cudaMemcpyDeviceToHost);
}
/* What is freed and what grows is known no longer, or anew. */
static void from_grown(size_t bytes) {
    std::vector<float> host;
    for (int i = 0; i < N; i++)
        host.push_back(1.0f);
    host.shrink_to_fit();
    cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice); /* fault: from_grown */
}

/* The twin leaves the padding between the members unwritten, which is no fault. */
struct entry {
    int key;
    double value;
};
static __global__ void write_members(entry *entries, bool value) {
    entries[threadIdx.x].key = 1;
    if (value)
        entries[threadIdx.x].value = 2;
}
static void to_structures(size_t bytes) {
    entry host[32], *entries;
    cudaMalloc((void **)&entries, sizeof host);
    write_members<<<1, 32>>>(entries, bytes == BYTES);
    cudaMemcpy(host, entries, sizeof host, cudaMemcpyDeviceToHost); /* fault: to_structures */
    cudaFree(entries);
}

/* Memory that host code and kernels share. The twin writes it, by bytes and by numbers. */
static __global__ void count_up(int *sum) { atomicAdd(sum, 1); /* fault: managed_sum */ }
static __global__ void exchange(int *word) { atomicCAS(word, 0, 1); /* fault: managed_exchange */ }
static __global__ void add_one(float *to, const float *from) {
    to[threadIdx.x] = from[threadIdx.x] + 1; /* fault: pinned_read */
}
static __global__ void join_bytes(unsigned char *bytes) {
    if (threadIdx.x % 4 != 2)
        bytes[threadIdx.x] = 0xFF;
    bytes[32 + threadIdx.x] = bytes[threadIdx.x]; /* fault: managed_bytes */
}
static void managed_sum(size_t bytes) {
    int *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    if (bytes == BYTES)
        *sum = -1;
    count_up<<<2, 32>>>(sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
}
static void managed_exchange(size_t bytes) {
    int *word;
    cudaMallocManaged(&word, sizeof *word);
    if (bytes == BYTES)
        *word = 0;
    exchange<<<1, 32>>>(word);
    cudaDeviceSynchronize();
    cudaFree(word);
}
static void pinned_read(size_t bytes) {
    float *host, *managed;
    cudaHostAlloc(&host, BYTES, cudaHostAllocMapped);
    cudaMallocManaged(&managed, BYTES);
    for (size_t i = 0; i < (bytes == BYTES ? 64 : 63); i++)
        host[i] = -0.0f;
    add_one<<<1, 64>>>(managed, host);
    cudaDeviceSynchronize();
    add_one<<<1, 64>>>(host, managed); /* what a kernel has written */
    cudaMemcpy(managed + 64, memory, 64 * sizeof *managed, cudaMemcpyDeviceToHost);
    cudaMemset(managed + 128, 0, 64 * sizeof *managed);
    add_one<<<1, 64>>>(host, managed + 64);
    add_one<<<1, 64>>>(host, managed + 128);
    cudaDeviceSynchronize();
    cudaFree(managed);
    cudaFreeHost(host);
}
static void managed_bytes(size_t bytes) {
    unsigned char *row;
    cudaMallocManaged(&row, 65);
    for (int i = 2; i < (bytes == BYTES ? 65 : 24); i += 4)
        row[i] = 0xFF;
    join_bytes<<<1, 32>>>(row);
    cudaDeviceSynchronize();
    cudaFree(row);
}

int main(int count, char **argument) {
    static const struct {
        const char *name;
        void (*run)(size_t bytes);
    } faults[] = {{"from_malloc", from_malloc}, {"to_malloc", to_malloc},
                  {"to_calloc", to_calloc},     {"to_realloc", to_realloc},
                  {"to_aligned", to_aligned},   {"to_new", to_new},
                  {"from_vector", from_vector}, {"from_middle", from_middle},
                  {"from_static", from_static}, {"from_member", from_member},
                  {"from_pinned", from_pinned}, {"to_rows", to_rows},
                  {"from_grown", from_grown},   {"to_structures", to_structures},
                  {"managed_sum", managed_sum}, {"managed_exchange", managed_exchange},
                  {"pinned_read", pinned_read}, {"managed_bytes", managed_bytes}};
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    cudaMalloc(&memory, 2 * BYTES);
    cudaMemset(memory, 0, 2 * BYTES);
    for (const auto &fault : faults)
        if (strcmp(fault.name, name) == 0) {
            float own[N] = {};
            copy_to(own, BYTES); /* of the stack nothing is known */
            fault.run(twin ? BYTES : 2 * BYTES);
            cudaDeviceSynchronize();
            cudaGetLastError();
            cudaFree(memory);
            return 0;
        }
    fprintf(stderr, "host_faults: there is no fault '%s'\n", name);
    return 2;
}
