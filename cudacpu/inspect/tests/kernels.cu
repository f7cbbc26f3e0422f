/* kernels.cu - kernels whose counts can be worked out by hand: what inspect must say of a program
 * of one's own. */
#include <stdio.h>

struct triple {
    float x, y, z;
};

/* A column of a tile of 32 columns lies in one bank: 32 wavefronts for each of 32 requests. With 33
 * columns, one. */
template <int COLUMNS> static __global__ void transpose(const float *in, float *out) {
    __shared__ float tile[32][COLUMNS];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = tile[x][y];
}

/* 12 bytes for each thread, in three accesses of 4 bytes: each touches 12 sectors. */
static __global__ void triples(const triple *in, triple *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

/* Only even lanes load, and only the first half of the warp stays for the second load. */
static __global__ void diverging(const float *in, float *out) {
    float sum = 0;
    if (threadIdx.x % 2 == 0)
        sum += in[threadIdx.x];
    if (threadIdx.x >= 16)
        return;
    sum += in[threadIdx.x];
    out[threadIdx.x] = sum;
}

/* Sums over warps, then over the grid, without a fault: by shuffles and an atomic addition. */
static __global__ void warp_sums(const float *in, float *total) {
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, sum);
}

/* Wide loads from shared memory: neighbouring lanes, or those two apart, that want the same go
 * together, so that 16 bytes a lane need 2 wavefronts and not 4, and 8 bytes 1 and not 2. */
static __global__ void wide_loads(const float *in, float *out) {
    __shared__ float4 tile[32];
    const int lane = threadIdx.x;
    tile[lane] = make_float4(in[lane], 1, 2, 3);
    __syncthreads();
    const float4 own = tile[lane], shared = tile[lane / 2], across = tile[lane % 2 + lane / 4 * 2],
                 again = tile[lane % 8];
    const double *pairs = (const double *)tile;
    const double wide = pairs[lane] + pairs[lane / 2];
    out[lane] = own.x + shared.x + across.x + again.x + (float)wide;
}

/* Stores do not go together: 4 wavefronts, 2 of 16 lanes that are active. Predicted instructions:
 * 2 * 32 to load in,
 * 4 * 32 + 4 * 16 to store tile,
 * 32 + 32 for lane % 2 == 0,
 * 32 + 32 for the barriers,
 * 32 + 2 * 32 to load tile and to store out. */
static __global__ void wide_stores(const float *in, float *out) {
    __shared__ float4 tile[32];
    const int lane = threadIdx.x;
    const float4 own = make_float4(in[lane], 1, 2, 3);
    tile[lane] = own;
    __syncthreads();
    if (lane % 2 == 0)
        tile[lane / 2] = own;
    __syncthreads();
    out[lane] = tile[lane].x;
}

/* One load instruction, in threads of several warps, for three kinds of memory: 8 of each in warp 0
 * and all in warps 1 to 3; a fourth kind, the stack, is not counted. */
static __device__ float table[32];
static __device__ float taken(const float *x, int i) { return x[i]; }
static __global__ void mixed(const float *in, float *out) {
    __shared__ float tile[32];
    int lane = threadIdx.x % 32, which = threadIdx.x < 32 ? lane / 8 : threadIdx.x / 32 - 1;
    float own[32];
    own[lane] = 1;
    if (threadIdx.x < 32)
        tile[lane] = 2;
    __syncthreads();
    for (int times = 0; times < 2; times++)
        out[threadIdx.x] = taken(which == 0   ? in
                                 : which == 1 ? tile
                                 : which == 2 ? table
                                              : own,
                                 lane);
}

/* The last thread opens a barrier of four warps and goes on; then the other warps run, and then the
 * rest of its own: each load and store is one request of a warp all the same. */
static __global__ void in_turns(const float *in, float *out) {
    for (int i = 0; i < 3; i++) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[128 * i + threadIdx.x] = in[threadIdx.x];
    }
}

/* An atomic function serves one lane after the other, where they want the same word: 4 wavefronts.
 */
static __global__ void shared_sums(float *out) {
    __shared__ unsigned sum[8];
    if (threadIdx.x < 8)
        sum[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sum[threadIdx.x / 4], 1);
    __syncthreads();
    out[threadIdx.x] = (float)sum[threadIdx.x / 4];
}

/* The value of an assignment is in a register: 32 words of in are loaded, none of out, and none of
 * part but in the two lines that read what was stored before: another line's, and a volatile one.
 */
static __global__ void assignments(const float *in, float *out, int n) {
    __shared__ float part[32];
    const int i = threadIdx.x;
    float sum = out[i] = part[i] = in[i];
    i < n && (out[i] = sum + 1);
    volatile float *now = part;
    if (i >= n)
        now[i] = sum, sum = now[i];
    part[i] = sum;
    out[i] += part[i];
}

/* Many threads want the same word: each adds once. */
static __global__ void contended(unsigned *sum) {
    for (int i = 0; i < 100; i++)
        atomicAdd(sum, 1);
}

int main() {
    float *in, *out;
    int sms;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    printf("%d SMs\n", sms);
    cudaMalloc(&in, 4096), cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
    transpose<32><<<1, dim3(32, 32)>>>(in, out);
    transpose<33><<<1, dim3(32, 32)>>>(in, out);
    triples<<<1, 32>>>((const triple *)in, (triple *)out);
    diverging<<<1, 32>>>(in, out);
    warp_sums<<<4, 64>>>(in, out);
    mixed<<<1, 128>>>(in, out);
    wide_loads<<<1, 32>>>(in, out);
    wide_stores<<<1, 32>>>(in, out);
    in_turns<<<1, 128>>>(in, out);
    shared_sums<<<1, 32>>>(out);
    contended<<<256, 32>>>((unsigned *)out);
    assignments<<<1, 32>>>(in, out, 24);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
