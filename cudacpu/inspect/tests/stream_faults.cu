/* stream_faults.cu - programs that forget to wait for a stream, one fault each, and beside each its
 * correct twin: what inspect must find, and where.
 *
 *     stream_faults NAME [twin]
 *
 * The line that must be reported carries the comment "fault: NAME". The status is 3 when the result
 * is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096, BLOCK = 256, GRID = N / BLOCK };
static const size_t BYTES = N * sizeof(int);

static __global__ void add(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] += value; }
static __global__ void twice(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
static __global__ void set(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
static __global__ void count(int *total) { atomicAdd(total, 1); }

static int *host, *other_host;               /* pinned: 0, 1, 2, ... and zeros */
static int *device, *other;                  /* zeros */
static cudaStream_t first, second, separate; /* the last one does not wait for the default stream */
static cudaEvent_t event;
static int is_wrong;

static void expect(const int *p, int factor, int summand) {
    for (int i = 0; i < N; i++)
        is_wrong |= p[i] != factor * i + summand;
}
/* Of device memory, when all is done. */
static void expect_device(const int *p, int factor, int summand) {
    int *results = (int *)malloc(BYTES);
    cudaDeviceSynchronize();
    cudaMemcpy(results, p, BYTES, cudaMemcpyDeviceToHost);
    expect(results, factor, summand);
    free(results);
}
static void record_and_wait(cudaStream_t before, cudaStream_t after) {
    cudaEventRecord(event, before);
    cudaStreamWaitEvent(after, event, 0);
}

/* ---- host code does not wait ---- */

static void read_pinned(bool twin) {
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first);
    cudaMemcpyAsync(other_host, device, BYTES, cudaMemcpyDeviceToHost, first);
    if (twin)
        cudaStreamSynchronize(first);
    is_wrong |= other_host[5] != 5; /* fault: read_pinned */
}
static void write_pinned(bool twin) {
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first);
    if (twin)
        cudaStreamSynchronize(first);
    host[7] = 0; /* fault: write_pinned */
    expect_device(device, 1, 0);
}
/* It waits for another stream. */
static void wrong_stream(bool twin) {
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, second);
    cudaMemcpyAsync(other_host, device, BYTES, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(twin ? second : first);
    is_wrong |= other_host[5] != 5; /* fault: wrong_stream */
}
/* The event stands before the copy. */
static void early_event(bool twin) {
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first);
    if (!twin)
        cudaEventRecord(event, first);
    cudaMemcpyAsync(other_host, device, BYTES, cudaMemcpyDeviceToHost, first);
    if (twin)
        cudaEventRecord(event, first);
    cudaEventSynchronize(event);
    is_wrong |= other_host[5] != 5; /* fault: early_event */
}
static void read_managed(bool twin) {
    int *managed;
    cudaMallocManaged(&managed, BYTES);
    memset(managed, 0, BYTES);
    add<<<GRID, BLOCK, 0, first>>>(managed, 1);
    if (twin)
        cudaDeviceSynchronize();
    is_wrong |= managed[0] != 1; /* fault: read_managed */
    cudaDeviceSynchronize();
    cudaFree(managed);
}
/* A kernel writes to pinned memory itself. */
static void read_mapped(bool twin) {
    int *mapped;
    cudaHostGetDevicePointer((void **)&mapped, host, 0);
    twice<<<GRID, BLOCK, 0, first>>>(device, mapped);
    if (twin)
        cudaStreamSynchronize(first);
    is_wrong |= host[9] != 0; /* fault: read_mapped */
}
static void write_registered(bool twin) {
    int *mine = (int *)aligned_alloc(4096, BYTES);
    memset(mine, 0, BYTES);
    cudaHostRegister(mine, BYTES, cudaHostRegisterDefault);
    cudaMemcpyAsync(device, mine, BYTES, cudaMemcpyHostToDevice, first);
    if (twin)
        cudaStreamSynchronize(first);
    mine[N / 2] = 1; /* fault: write_registered */
    expect_device(device, 0, 0);
    cudaHostUnregister(mine);
    free(mine);
}

/* ---- memory is freed while a stream uses it ---- */

static void free_host(bool twin) {
    int *pinned;
    cudaMallocHost(&pinned, BYTES);
    cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, first);
    if (twin)
        cudaStreamSynchronize(first);
    cudaFreeHost(pinned); /* fault: free_host */
}
static void unregister(bool twin) {
    int *mine = (int *)aligned_alloc(4096, BYTES);
    memset(mine, 0, BYTES);
    cudaHostRegister(mine, BYTES, cudaHostRegisterDefault);
    cudaMemcpyAsync(device, mine, BYTES, cudaMemcpyHostToDevice, first);
    if (twin)
        cudaStreamSynchronize(first);
    cudaHostUnregister(mine); /* fault: unregister */
    free(mine);
}
/* Registered memory goes back to the system. */
static void free_registered(bool twin) {
    const size_t bytes = 1 << 20;
    int *mine = (int *)malloc(bytes), *p;
    memset(mine, 0, bytes);
    cudaMalloc(&p, bytes);
    cudaHostRegister(mine, bytes, cudaHostRegisterDefault);
    cudaMemcpyAsync(p, mine, bytes, /* fault: free_registered */
                    cudaMemcpyHostToDevice, first);
    if (twin) {
        cudaStreamSynchronize(first);
        cudaHostUnregister(mine);
    }
    free(mine);
    cudaFree(p);
}
static void free_async(bool twin) {
    int *p;
    cudaMallocAsync(&p, BYTES, first);
    set<<<GRID, BLOCK, 0, first>>>(p, 1);
    if (twin)
        record_and_wait(first, second);
    cudaFreeAsync(p, second); /* fault: free_async */
}
/* cudaFree does not wait for who uses memory of cudaMallocAsync. */
static void free_stream_ordered(bool twin) {
    int *p;
    cudaMallocAsync(&p, BYTES, first);
    set<<<GRID, BLOCK, 0, first>>>(p, 1);
    if (twin)
        cudaStreamSynchronize(first);
    cudaFree(p); /* fault: free_stream_ordered */
}
static void use_before_allocation(bool twin) {
    int *p;
    cudaMallocAsync(&p, BYTES, first);
    if (twin)
        record_and_wait(first, second);
    set<<<GRID, BLOCK, 0, second>>>(p, 1); /* fault: use_before_allocation */
    cudaFreeAsync(p, second);
}

/* ---- two streams without an event ---- */

static void copy_and_kernel(bool twin) {
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first);
    if (twin)
        record_and_wait(first, second);
    twice<<<GRID, BLOCK, 0, second>>>(device, other); /* fault: copy_and_kernel */
    expect_device(other, 2, 0);
}
static void two_kernels(bool twin) {
    set<<<GRID, BLOCK, 0, first>>>(device, 4);
    if (twin)
        record_and_wait(first, second);
    twice<<<GRID, BLOCK, 0, second>>>(device, other); /* fault: two_kernels */
    expect_device(other, 0, 8);
}
/* The buffer is filled again while a kernel still reads it. */
static void filled_too_soon(bool twin) {
    twice<<<GRID, BLOCK, 0, first>>>(device, other);
    if (twin)
        record_and_wait(first, second);
    cudaMemcpyAsync(device, host, BYTES, /* fault: filled_too_soon */
                    cudaMemcpyHostToDevice, second);
    expect_device(other, 0, 0);
}
static void two_writers(bool twin) {
    set<<<GRID, BLOCK, 0, first>>>(device, 4);
    if (twin)
        record_and_wait(first, second);
    cudaMemsetAsync(device, 0, BYTES, second); /* fault: two_writers */
    expect_device(device, 0, 0);
}
/* A stream that does not wait for the default stream. The twin is a stream that does. */
static void not_blocking(bool twin) {
    set<<<GRID, BLOCK>>>(device, 4);
    twice<<<GRID, BLOCK, 0, twin ? first : separate>>>(device, other); /* fault: not_blocking */
    expect_device(other, 0, 8);
}
/* cudaMemcpy from pageable memory returns when its source is staged. */
static void staged(bool twin) {
    int *pageable = (int *)calloc(N, sizeof(int));
    for (int i = 0; i < N; i++)
        pageable[i] = i;
    cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice);
    if (twin)
        cudaStreamSynchronize(0);
    twice<<<GRID, BLOCK, 0, separate>>>(device, other); /* fault: staged */
    expect_device(other, 2, 0);
    free(pageable);
}
/* A wait is for the record before it. */
static void wait_before_record(bool twin) {
    set<<<GRID, BLOCK, 0, first>>>(device, 4);
    if (twin)
        cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    if (!twin)
        cudaEventRecord(event, first);
    twice<<<GRID, BLOCK, 0, second>>>(device, other); /* fault: wait_before_record */
    expect_device(other, 0, 8);
}
/* One word of the halves is in both. */
static void halves(bool twin) {
    cudaMemsetAsync(device, 0, BYTES / 2 + (twin ? 0 : sizeof(int)), first);
    cudaMemcpyAsync(device + N / 2, host, BYTES / 2, /* fault: halves */
                    cudaMemcpyHostToDevice, second);
    cudaDeviceSynchronize();
}
/* Atomic additions may come in any order. */
static void totals(bool twin) {
    count<<<1, BLOCK, 0, first>>>(device);
    if (twin)
        count<<<1, BLOCK, 0, second>>>(device);
    else
        set<<<1, 1, 0, second>>>(device, BLOCK); /* fault: totals */
    cudaDeviceSynchronize();
}

/* ---- a kernel that may begin before the one before it has ended ---- */

static __global__ void set_last(int *p, int value, bool triggers) {
    if (triggers)
        cudaTriggerProgrammaticLaunchCompletion();
    p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
static __global__ void twice_last(const int *in, int *out, bool triggers) {
    if (triggers)
        cudaTriggerProgrammaticLaunchCompletion();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
static __global__ void twice_early(const int *in, int *out, bool waits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (waits)
        cudaGridDependencySynchronize();
    out[i] = 2 * in[i]; /* fault: dependent_reads */
}
static __global__ void set_early(int *p, int value) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = value; /* fault: dependent_writes */
    cudaGridDependencySynchronize();
}
static __global__ void twice_with_one_wait(const int *in, int *out, bool barrier) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    if (barrier)
        __syncthreads();
    out[i] = 2 * in[i]; /* fault: one_waits */
}
static __global__ void twice_untriggered(const int *in, int *out, bool waits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (waits)
        cudaGridDependencySynchronize();
    out[i] = 2 * in[i]; /* fault: not_triggered */
}
static cudaLaunchConfig_t *allow_early(void) {
    static cudaLaunchAttribute early;
    static cudaLaunchConfig_t config;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(GRID);
    config.blockDim = dim3(BLOCK);
    config.stream = first;
    config.attrs = &early;
    config.numAttrs = 1;
    return &config;
}
static void dependent_reads(bool twin) {
    set_last<<<GRID, BLOCK, 0, first>>>(device, 4, true);
    cudaLaunchKernelEx(allow_early(), twice_early, (const int *)device, other, twin);
    expect_device(other, 0, 8);
}
/* The twin's first kernel does not trigger: it has read all when the second one begins. */
static void dependent_writes(bool twin) {
    set<<<GRID, BLOCK, 0, first>>>(device, 4);
    twice_last<<<GRID, BLOCK, 0, first>>>(device, other, !twin);
    cudaLaunchKernelEx(allow_early(), set_early, device, 5);
    expect_device(other, 0, 8);
}
static void one_waits(bool twin) {
    set_last<<<GRID, BLOCK, 0, first>>>(device, 4, true);
    cudaLaunchKernelEx(allow_early(), twice_with_one_wait, (const int *)device, other, twin);
    expect_device(other, 0, 8);
}
/* The second kernel begins when the first one's blocks have ended; it may not see what they wrote.
 */
static void not_triggered(bool twin) {
    set_last<<<GRID, BLOCK, 0, first>>>(device, 4, false);
    cudaLaunchKernelEx(allow_early(), twice_untriggered, (const int *)device, other, twin);
    expect_device(other, 0, 8);
}

static const struct {
    const char *name;
    void (*run)(bool twin);
} FAULTS[] = {{"read_pinned", read_pinned},
              {"write_pinned", write_pinned},
              {"wrong_stream", wrong_stream},
              {"early_event", early_event},
              {"read_managed", read_managed},
              {"read_mapped", read_mapped},
              {"write_registered", write_registered},
              {"free_host", free_host},
              {"unregister", unregister},
              {"free_registered", free_registered},
              {"free_async", free_async},
              {"free_stream_ordered", free_stream_ordered},
              {"use_before_allocation", use_before_allocation},
              {"copy_and_kernel", copy_and_kernel},
              {"two_kernels", two_kernels},
              {"filled_too_soon", filled_too_soon},
              {"two_writers", two_writers},
              {"not_blocking", not_blocking},
              {"staged", staged},
              {"wait_before_record", wait_before_record},
              {"halves", halves},
              {"totals", totals},
              {"dependent_reads", dependent_reads},
              {"dependent_writes", dependent_writes},
              {"one_waits", one_waits},
              {"not_triggered", not_triggered}};

int main(int count, char **argument) {
    const char *name = count > 1 ? argument[1] : "";
    const bool twin = count > 2 && strcmp(argument[2], "twin") == 0;
    int found = -1;
    for (int i = 0; i < (int)(sizeof FAULTS / sizeof *FAULTS); i++)
        if (strcmp(name, FAULTS[i].name) == 0)
            found = i;
    if (found < 0) {
        fprintf(stderr, "stream_faults: there is no fault '%s'\n", name);
        return 2;
    }
    cudaMallocHost(&host, BYTES);
    cudaMallocHost(&other_host, BYTES);
    cudaMalloc(&device, BYTES);
    cudaMalloc(&other, BYTES);
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaStreamCreateWithFlags(&separate, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    for (int i = 0; i < N; i++)
        host[i] = i, other_host[i] = 0;
    cudaMemset(device, 0, BYTES);
    cudaMemset(other, 0, BYTES);
    cudaDeviceSynchronize();
    FAULTS[found].run(twin);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaStreamDestroy(separate);
    cudaFree(device);
    cudaFree(other);
    cudaFreeHost(host);
    cudaFreeHost(other_host);
    return error != cudaSuccess || is_wrong ? 3 : 0;
}
