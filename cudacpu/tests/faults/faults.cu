/* faults.cu - one fault of a kernel or of host code, chosen by name: each must become a sentence,
 * and the suite knows which. run NAME [BYTES] */
#include <assert.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
static __global__ void fill(char *p, int n) {
    if ((int)INDEX <= n) /* one too many */
        p[INDEX] = 1;
}
static __global__ void fill_before(char *p, int n) {
    if ((int)INDEX < n)
        p[(int)INDEX - 1] = 1;
}
/* The two low bytes stay as they are there. */
static __global__ void double_at(float *p, int index) { p[index] = 2 * p[index]; }
static __global__ void write_at(float *p, int index) { p[index + (int)threadIdx.x] = 1; }
static __global__ void read_at(float *p, int index) {
    p[threadIdx.x] = p[index + (int)threadIdx.x];
}
static __global__ void differ(float *p) {
    if (threadIdx.x < 4)
        __syncthreads(); /* of four */
    else
        __syncthreads(); /* of the others */
    p[threadIdx.x] = 1;
}
static __global__ void differ_in_a_line(float *p) {
    threadIdx.x < 4 ? __syncthreads() : __syncthreads(); /* one for each */
    p[threadIdx.x] = 1;
}
static __global__ void leave_early(float *p) {
    if (threadIdx.x == 9 && threadIdx.y == 1)
        return;
    __syncthreads(); /* all but one */
    p[threadIdx.x] = 1;
}
static __device__ int deep(volatile int *p, int depth) {
    volatile int frame[64];
    frame[depth % 64] = *p;
    return depth ? deep(p, depth - 1) + frame[depth % 64] : 0;
}
static __global__ void recurse(int *p) { p[1] = deep(p, 4000); }
static __global__ void too_large(volatile float *p, int index) {
    volatile float row[100 * 1024];
    __syncthreads();
    row[index] = p[0];
    p[0] = row[index];
}
static __global__ void store_tile(float *p, int offset, unsigned stride) {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> tile;
    nvcuda::wmma::fill_fragment(tile, 1);
    nvcuda::wmma::store_matrix_sync(p + offset, tile, stride, nvcuda::wmma::mem_row_major);
}
static __global__ void change_rounding(float *p) {
#ifdef __x86_64__
    if (threadIdx.x == 0)
        __builtin_ia32_ldmxcsr(0x3f80); /* downward */
#endif
    __syncthreads();
    p[threadIdx.x] = 1 / (blockDim.x - 29.0f);
    __syncthreads();
    if (threadIdx.x == 9 && __float_as_int(p[31]) != 0x3eaaaaab)
        p[0] = p[-1000];
}
static __global__ void divide(int *p, int by) { p[threadIdx.x] = 7 / (by * (int)threadIdx.x); }
static __global__ void shared_past(float *p, int index) {
    extern __shared__ float row[];
    row[index] = 1;
    *p = row[index];
}
/* Counts on the address of the array of which it has an element. */
static __global__ void find_array(float *p) {
    __shared__ __align__(8192) float array[2048];
    array[threadIdx.x] = 1;
    __syncthreads();
    const unsigned at = (unsigned)__cvta_generic_to_shared(array + threadIdx.x) & ~8191u;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(p[threadIdx.x]) : "r"(at)); /* the first */
}
static __global__ void misaligned(float *p) { *(float4 *)(p + 1) = make_float4(1, 2, 3, 4); }
static __global__ void claim(int limit) { assert((int)threadIdx.x != limit); }
static __global__ void stop(int *p) {
    if (threadIdx.x == 5)
        __trap();
    *p = 1;
}
static __device__ float helper(float *p, int index) { return p[index]; }
static __global__ void in_function(float *p) { p[0] = helper(p, 5000000); }

struct rows {
    float *row[2];
};
static __global__ void write_row(const rows *r, int at) { r->row[1][at] = 1; /* by a pointer */ }

int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : "";
    const int bytes = count > 2 ? atoi(arguments[2]) : 4000;
    char *p;
    float *q;
    if (strcmp(name, "before_any_call") == 0)
        *(volatile char *)(size_t)(count + 70000) = 1; /* no call so far */
    cudaMalloc(&p, bytes);
    cudaMalloc(&q, 4000);
    cudaMemset(p, 0, bytes);
    int known = 0;
#define FAULT(wanted) if (strcmp(name, wanted) == 0 && (known = 1))
    FAULT("write_past") fill<<<bytes / 64 + 1, 64>>>(p, bytes);
    FAULT("write_before") fill_before<<<bytes / 64 + 1, 64>>>(p, bytes);
    FAULT("double_past") double_at<<<1, 1>>>(q, 1000);
    FAULT("write_far") write_at<<<1, 32>>>(q, 1000);
    FAULT("write_far_before") write_at<<<1, 32>>>(q, -5000);
    FAULT("read_past") read_at<<<1, 32>>>(q, 1024);
    FAULT("read_before") read_at<<<1, 32>>>(q, -2000);
    FAULT("null") write_at<<<1, 32>>>(NULL, 0);
    FAULT("in_function") in_function<<<1, 1>>>(q);
    FAULT("barriers") differ<<<1, 32>>>(q);
    FAULT("barriers_in_a_line") differ_in_a_line<<<1, 32>>>(q);
    FAULT("barriers_counted") {
        setenv("CUDACPU_BARRIER", "counted", 1);
        differ<<<1, 32>>>(q);
    }
    FAULT("early") leave_early<<<1, dim3(10, 2)>>>(q);
    FAULT("stack") recurse<<<1, 1>>>((int *)p);
    FAULT("stack_array") too_large<<<1, 8>>>(q, 5);
    FAULT("half_warp") store_tile<<<1, 48>>>(q, 0, 16u);
    FAULT("tile_between") store_tile<<<1, 32>>>(q, 4, 16u);
    FAULT("rows_between") store_tile<<<1, 32>>>(q, 0, 18u);
    FAULT("change_rounding") change_rounding<<<1, 32>>>(q);
    FAULT("divide") divide<<<1, 32>>>((int *)p, 3);
    FAULT("shared") shared_past<<<1, 1, 400>>>(q, 100);
    FAULT("shared_far") shared_past<<<1, 1, 400>>>(q, 5000);
    FAULT("find_array") find_array<<<1, 32>>>(q);
    FAULT("misaligned") misaligned<<<1, 1>>>(q);
    FAULT("assert") claim<<<1, 32>>>(3);
    FAULT("trap") stop<<<1, 32>>>((int *)p);
    FAULT("host_write") q[3] = 1;
    FAULT("host_read") printf("%g\n", q[3]);
    FAULT("host_memcpy") memcpy(p, name, 3);
    FAULT("device_pointer_to_host") {
        float *host = (float *)calloc(32, sizeof *host);
        write_at<<<1, 32>>>(host, 0);
        free(host);
    }
    FAULT("after_free") {
        cudaFree(q); /* before the launch */
        write_at<<<1, 32>>>(q, 0);
    }
    FAULT("after_many_frees") {
        for (int i = 0; i < 256; i++) {
            float *other;
            cudaMalloc(&other, 64);
            cudaFree(other);
        }
        cudaFree(q); /* after many */
        write_at<<<1, 32>>>(q, 0);
    }
    FAULT("past_row") {
        const rows host = {{NULL, q}};
        cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice);
        write_row<<<1, 1>>>((const rows *)p, 1000);
    }
    FAULT("host_after_free") {
        cudaFree(q); /* before the host */
        q[0] = 1;
    }
    FAULT("copy_after_free") {
        float host[10];
        cudaFree(q); /* before the copies */
        cudaMemcpy(host, q, sizeof host, cudaMemcpyDeviceToHost);
        cudaMemcpy(host, q + 1, 4, cudaMemcpyDefault); /* of what it is, is not known */
        cudaMemset(q, 0, 4);
    }
    FAULT("copy_after_free_of_host") {
        float *pinned;
        cudaMallocHost(&pinned, 64);
        cudaFreeHost(pinned); /* too early */
        cudaMemcpy(q, pinned, 64, cudaMemcpyHostToDevice);
    }
    FAULT("too_many_threads") write_at<<<1, 2048>>>(q, 0);
    FAULT("copy_too_large") cudaMemset(q + 900, 0, 800);
    FAULT("double_free") {
        cudaFree(q);
        cudaFree(q); /* twice */
    }
    if (!known) {
        fprintf(stderr, "there is no fault '%s'\n", name);
        return 2;
    }
    const cudaError_t error = cudaGetLastError();
    fprintf(stderr, "%s\n",
            cudaGetErrorString(error != cudaSuccess ? error : cudaDeviceSynchronize()));
    return error != cudaSuccess;
}
