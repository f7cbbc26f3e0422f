/* device_faults.cu - programs with two devices, one fault each, and beside each its correct twin:
 * what inspect must find, and where.
 *
 *     CUDACPU_DEVICES=2 device_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". The status is 3 when the result
 * is wrong. */
#include <stdio.h>
#include <string.h>

enum { N = 4096, BLOCK = 256, GRID = N / BLOCK };
static const size_t BYTES = N * sizeof(int);

static __global__ void set(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
static __global__ void read_other(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1; /* fault: no_access */
}
static __global__ void write_other(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 2; /* fault: disabled */
}
static __global__ void add_other(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += in[i]; /* fault: other_way */
}
static __global__ void read_pool(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; /* fault: of_pool */
}

static int *host;              /* pinned, zeros */
static int *memory[2];         /* of each device, zeros */
static cudaStream_t stream[2]; /* they do not wait for the default streams */
static cudaEvent_t event[2];
static int is_wrong;

static void expect(const int *p, int value) {
    for (int i = 0; i < N; i++)
        is_wrong |= p[i] != value;
}
static void expect_on(int device, int value) {
    static int results[N];
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaMemcpy(results, memory[device], BYTES, cudaMemcpyDeviceToHost);
    expect(results, value);
}
/* What is issued to the stream of one device comes after what was issued to the other's. */
static void wait_for_other(int before, int after) {
    cudaEventRecord(event[before], stream[before]);
    cudaStreamWaitEvent(stream[after], event[before], 0);
}

/* ---- memory ---- */

static void no_access(bool twin) {
    if (twin)
        cudaDeviceEnablePeerAccess(1, 0);
    read_other<<<GRID, BLOCK>>>(memory[1], memory[0]);
    expect_on(0, 1);
}
static void disabled(bool twin) {
    cudaDeviceEnablePeerAccess(1, 0);
    if (!twin)
        cudaDeviceDisablePeerAccess(1);
    write_other<<<GRID, BLOCK>>>(memory[1]);
    cudaDeviceSynchronize();
    expect_on(1, 2);
}
/* Access is given in one direction. */
static void other_way(bool twin) {
    cudaSetDevice(twin ? 0 : 1);
    cudaDeviceEnablePeerAccess(twin ? 1 : 0, 0);
    cudaSetDevice(0);
    add_other<<<GRID, BLOCK>>>(memory[0], memory[1]);
    expect_on(0, 0);
}
/* The memory of a pool has access of its own. */
static void of_pool(bool twin) {
    int *of_1;
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaDeviceEnablePeerAccess(1, 0);
    cudaDeviceGetDefaultMemPool(&pool, 1);
    if (twin)
        cudaMemPoolSetAccess(pool, &access, 1);
    cudaSetDevice(1);
    cudaMallocAsync(&of_1, BYTES, 0);
    set<<<GRID, BLOCK>>>(of_1, 8);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    read_pool<<<GRID, BLOCK>>>(of_1, memory[0]);
    expect_on(0, 8);
    cudaFree(of_1);
}
/* It waits for the device that owns the memory, not for the one that still copies from it. */
static void freed(bool twin) {
    int *more;
    cudaMalloc(&more, BYTES);
    set<<<GRID, BLOCK, 0, stream[0]>>>(more, 3);
    wait_for_other(0, 1);
    cudaMemcpyPeerAsync(memory[1], 1, more, 0, BYTES, stream[1]);
    if (twin)
        cudaStreamSynchronize(stream[1]);
    cudaFree(more); /* fault: freed */
    expect_on(1, 3);
}

/* ---- order ---- */

static void no_event(bool twin) {
    set<<<GRID, BLOCK, 0, stream[0]>>>(memory[0], 4);
    if (twin)
        wait_for_other(0, 1);
    cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, BYTES, stream[1]); /* fault: no_event */
    expect_on(1, 4);
}
/* Each device has a default stream of its own. */
static void two_defaults(bool twin) {
    set<<<GRID, BLOCK>>>(memory[0], 5);
    cudaSetDevice(twin ? 0 : 1);
    cudaMemcpy(host, memory[0], BYTES, cudaMemcpyDeviceToHost); /* fault: two_defaults */
    expect(host, 5);
}
/* cudaDeviceSynchronize waits for the current device. */
static void other_device(bool twin) {
    set<<<GRID, BLOCK, 0, stream[0]>>>(memory[0], 6);
    cudaMemcpyAsync(host, memory[0], BYTES, cudaMemcpyDeviceToHost, stream[0]);
    cudaSetDevice(twin ? 0 : 1);
    cudaDeviceSynchronize();
    is_wrong |= host[7] != 6; /* fault: other_device */
}
/* The next round overwrites what the other device has not copied yet. */
static void next_round(bool twin) {
    for (int round = 0; round < 2; round++) {
        set<<<GRID, BLOCK, 0, stream[0]>>>(memory[0], round); /* fault: next_round */
        wait_for_other(0, 1);
        cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, BYTES, stream[1]);
        cudaMemcpyAsync(host + round * N, memory[1], BYTES, cudaMemcpyDeviceToHost, stream[1]);
        if (twin)
            wait_for_other(1, 0);
    }
    cudaStreamSynchronize(stream[1]);
    expect(host, 0);
    expect(host + N, 1);
}

static const struct {
    const char *name;
    void (*run)(bool twin);
} FAULTS[] = {{"no_access", no_access},
              {"disabled", disabled},
              {"other_way", other_way},
              {"freed", freed},
              {"no_event", no_event},
              {"two_defaults", two_defaults},
              {"other_device", other_device},
              {"next_round", next_round},
              {"of_pool", of_pool}};

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    int found = -1;
    for (int i = 0; i < (int)(sizeof FAULTS / sizeof *FAULTS); i++)
        if (strcmp(name, FAULTS[i].name) == 0)
            found = i;
    if (found < 0) {
        fprintf(stderr, "device_faults: there is no fault '%s'\n", name);
        return 2;
    }
    for (int d = 1; d >= 0; d--) {
        cudaSetDevice(d);
        cudaMalloc(&memory[d], BYTES);
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
        cudaEventCreate(&event[d]);
        cudaMemset(memory[d], 0, BYTES);
        cudaDeviceSynchronize();
    }
    cudaMallocHost(&host, 2 * BYTES);
    memset(host, 0, 2 * BYTES);
    FAULTS[found].run(twin);
    cudaError_t error = cudaSuccess;
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        error = error == cudaSuccess ? cudaDeviceSynchronize() : error;
    }
    for (int d = 0; d < 2; d++) {
        cudaEventDestroy(event[d]);
        cudaStreamDestroy(stream[d]);
        cudaFree(memory[d]);
    }
    cudaFreeHost(host);
    return error != cudaSuccess || is_wrong ? 3 : 0;
}
