/* refused.c - programs that cpucc must refuse with a sentence: what nvcc refuses too, and what a
 * GPU alone can do. */
#define _POSIX_C_SOURCE 200809L
#include "refused.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNEL "__global__ void k(int *p) {}\n"
#define LAUNCHED_FROM "int main() { int *p = nullptr;\n"

static const refused_program PROGRAMS[] = {
    {"-c -ffast-math", "", "cpucc: -ffast-math changes results"},
    {"-c -Ofast", "", "cpucc: -Ofast changes results"},
    {"-c -Xcompiler -Wall,-ffast-math", "", "cpucc: -ffast-math changes results"},
    {"-c -ffinite-math-only", "", "cpucc: -ffinite-math-only changes results"},
    {"-c",
     "__global__ void k(float *p) {\n__shared__ float a[8192], b[4097];\na[threadIdx.x] = "
     "b[threadIdx.x] = *p;\n__syncthreads();\n*p = a[1] + b[2]; }",
     "k(float*) uses 49156 bytes of static shared memory; the limit is 49152"},
    {"-c",
     "template <int N> __global__ void k(int *p) {\n__shared__ int a[N]; a[threadIdx.x] = "
     "*p;\n__syncthreads();\n*p = a[1]; }\ntemplate __global__ void k<12289>(int *);",
     "k<12289>(int*) uses 49156 bytes of static shared memory; the limit is 49152"},
    {"-c", "__global__ int k(int *p) { return 1; }\n" LAUNCHED_FROM "k<<<1, 1>>>(p); }",
     "a kernel returns void"},
    {"-E", KERNEL "__device__ void d(int *p) {\nif (p) { k<<<1,\n1>>>(p); } }",
     ":3: error: a kernel that launches a kernel (dynamic parallelism) needs nvcc and a GPU"},
    {"-ptx", "", "cpucc: -ptx makes code for a GPU"},
    {"-E", KERNEL LAUNCHED_FROM "k(p); }",
     ":3: error: a kernel must be launched: k<<<grid, block>>>(...)"},
    {"-E", KERNEL LAUNCHED_FROM "if (p)\nk(p); }",
     ":4: error: a kernel must be launched: k<<<grid, block>>>(...)"},
    {"-E", KERNEL LAUNCHED_FROM "if (p)\nk<<<1,\n1>>>(p); else\nk(p); }",
     ":6: error: a kernel must be launched: k<<<grid, block>>>(...)"},
    {"-E", "template <class T> __global__ void k(T *p) {}\n" LAUNCHED_FROM "k<int>(p); }",
     ":3: error: a kernel must be launched: k<<<grid, block>>>(...)"},
    {"-E", "#include <algorithm>\n__global__ void copy(int *p) {}\n" LAUNCHED_FROM "copy(p); }",
     ":4: error: a kernel must be launched: copy<<<grid, block>>>(...)"},
    {"-E", "__global__ void store(int *p) {}\n" LAUNCHED_FROM "store(p); }",
     ":3: error: a kernel must be launched: store<<<grid, block>>>(...)"},
    {"-E", "void add(int *p) {}\n" LAUNCHED_FROM "add<<<1, 1>>>(p); }",
     ":3: error: add is launched, but it is no kernel: __global__ is missing before void add(...)"},
    {"-E", "void kernel(int *p) {}\n" LAUNCHED_FROM "kernel<<<1, 1>>>(p); }",
     ":3: error: kernel is launched, but it is no kernel: __global__ is missing"},
    {"-c", "__global__ void add(int *p, int n) {}\n" LAUNCHED_FROM "add<<<1, 1>>>(p); }",
     " error: too few arguments to function"},
    {"-E", KERNEL LAUNCHED_FROM "k<<<1, 1>>(p); }", ":3: error: no >>> for this <<<"},
    {"-E", KERNEL LAUNCHED_FROM "k<<<1>>>(p); }",
     ":3: error: a launch needs a grid and a block: k<<<grid, block>>>(...)"},
    {"-E", KERNEL LAUNCHED_FROM "(1 + 2) * <<<1, 1>>>(p); }",
     ":3: error: no kernel name before <<<"},
    {"-E",
     "__global__ void gr\u00f6\u00dfe(int *p) {}\n" LAUNCHED_FROM "gr\u00f6\u00dfe<<<1, 1>>>(p); }",
     ":3: error: a kernel's name has no letters but those of ASCII: nvcc refuses others"},
    {"-c",
     "struct { void operator()(int *) const {} } object[1];\n" LAUNCHED_FROM
     "object[0]<<<1, 1>>>(p); }",
     "a launch needs a kernel before <<<, or a pointer to one"},
    {"-E", "__global__ void k() {\nextern __shared__ float x;\n}",
     ":2: error: extern __shared__ declares an array without a size"},
    {"-E", "__global__ void k() {\nextern __shared__ float x[10];\n}",
     ":2: error: extern __shared__ declares an array without a size"},
    {"-E", "__global__ void k() {\n__shared__ int x = 5;\n}",
     ":2: error: a __shared__ variable has no initial value"},
    {"-E", "__global__ void k() {\n__shared__ int x[2] = {1, 2};\n}",
     ":2: error: a __shared__ variable has no initial value"},
    {"-c", "__global__ void k() {\n__shared__ int x[2], y[2]\nint i = 5;\nx[0] = y[0] = i;\n}",
     " error: expected "},
    {"-E", "\n#include <cufft.h>", "cudacpu does not provide cuFFT: use FFTW on the host"},
    {"-E", "#include <cuda_fp8.h>\n__nv_fp8_e4m3 a;\n__nv_fp8_e8m0 s;",
     ":3: error: cudacpu does not provide __nv_fp8_e8m0: of cuda_fp8.h it has e4m3 and e5m2"},
    {"-E", "#include <cudaTypedefs.h>\nPFN_cuTensorMapEncodeTiled_v12000 f;",
     ":2: error: cudacpu does not provide PFN_cuTensorMapEncodeTiled_v12000: tensor maps need"},
    {"-E", "#include <cudaTypedefs.h>\nCUtensorMap map;",
     ":2: error: cudacpu does not provide CUtensorMap: tensor maps need nvcc and a GPU"},
    {"-E", "#include <cudaTypedefs.h>\nPFN_cuMemAlloc f;",
     ":2: error: cudacpu does not provide PFN_cuMemAlloc: call the driver API's function"},
    {"-E", "\n#include <cublasLt.h>", "cudacpu does not provide cuBLASLt: use cublasGemmEx"},
    {"-E", "\n#include <cuda_fp4.h>",
     "cudacpu does not provide numbers of 4 bits: use cuda_fp16.h"},
    {"-E", "\n#include <curand_mtgp32_host.h>", "cudacpu does not provide cuRAND's MTGP32: XORWOW"},
    {"-E", LAUNCHED_FROM "\ncudaOccMaxActiveBlocksPerMultiprocessor(0, 0, 0, 0, 1, 0); }",
     ":3: error: cudacpu does not provide cudaOccMaxActiveBlocksPerMultiprocessor: "
     "cudaOccupancyMax"},
    {"-E", "#include <cublas_v2.h>\nvoid f(cublasHandle_t h) { cublasDtrmm(h); }",
     ":2: error: cudacpu does not provide cublasDtrmm: of cuBLAS it has, for real numbers"},
    {"-E", LAUNCHED_FROM "cudaGraphNodeSetEnabled(0, 0, 0); }",
     ":2: error: cudacpu does not provide cudaGraphNodeSetEnabled: build the graph again"},
    {"-E", LAUNCHED_FROM "cudaGetTextureObjectTextureDesc(0, 0); }",
     "cudacpu does not provide cudaGetTextureObjectTextureDesc: keep the description"},
    {"-E", "__global__ void k(int *p) {\n*p = __isConstant(p); }",
     ":2: error: cudacpu does not provide __isConstant: its memory is not told"},
    {"-E", LAUNCHED_FROM "cudaLibrary_t l; }",
     ":2: error: cudacpu does not provide cudaLibrary_t: a library is code for a GPU"},
    {"-E", LAUNCHED_FROM "cudaGraphicsResource *r; }",
     ":2: error: cudacpu does not provide cudaGraphicsResource: copy to the host and draw there"},
    {"-E", LAUNCHED_FROM "cudaImportExternalMemory(0, 0); }",
     ":2: error: cudacpu does not provide cudaImportExternalMemory: it needs nvcc and a GPU"},
    {"-E", "\n#include <cuda/latch>", "cudacpu does not provide latches of cuda::std"},
    {"-E", "\ntexture<float, 2> t;",
     ":2: error: cudacpu does not provide texture and surface references, nor does CUDA 12"},
    {"-E", LAUNCHED_FROM "cudaBindTexture(0, 0, p, 4); }",
     "cudacpu does not provide cudaBindTexture: CUDA 12 has no texture references"},
    {"-E", LAUNCHED_FROM "\nCUmodule m; }",
     ":3: error: cudacpu does not provide CUmodule: a module is code for a GPU; launch a kernel"},
    {"-E", LAUNCHED_FROM "cuTensorMapEncodeTiled(p); }",
     "cudacpu does not provide cuTensorMapEncodeTiled: tensor maps need nvcc and a GPU"},
    {"-E", "#include <curand_kernel.h>\n__device__ curandStateMtgp32_t s;",
     ":2: error: cudacpu does not provide curandStateMtgp32_t: XORWOW (curandState)"},
    {"-E", LAUNCHED_FROM "cudaLaunchAttribute a;\na.id = cudaLaunchAttributeProgrammaticEvent; }",
     ":3: error: cudacpu does not provide cudaLaunchAttributeProgrammaticEvent"},
    {"-E", LAUNCHED_FROM "ncclCommSplit(0, 0, 0, 0, 0); }",
     ":2: error: cudacpu does not provide ncclCommSplit"},
    {"-E", KERNEL LAUNCHED_FROM "cudaLaunchKernelEx(k); }",
     ":3: error: cudaLaunchKernelEx needs a configuration and a kernel"},
    {"-E", "__global__ void k(float *p) { *p = texCubemapLod<float>(1, 0, 0, 1, 0); }",
     ":1: error: cudacpu does not provide texCubemapLod"},
    {"-E", LAUNCHED_FROM "cudaMipmappedArray_t levels; }",
     ":2: error: cudacpu does not provide cudaMipmappedArray_t: an array and a texture object for "
     "each level are provided (cudaMallocArray)"},
    {"-E", LAUNCHED_FROM "cudaGraphAddEventRecordNode(0, 0, 0, 0, 0); }",
     ":2: error: cudacpu does not provide cudaGraphAddEventRecordNode"},
    {"-c",
     "#include <cooperative_groups.h>\n__global__ void k() { "
     "cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()); }",
     "cudacpu does not provide tiles of more than 32 threads"},
    {"-c",
     "#include <cooperative_groups.h>\n__global__ void k() { "
     "__shared__ cooperative_groups::block_tile_memory<256> m; (void)m; }",
     "block_tile_memory: take tiles of 32 and __shared__ memory"},
    {"-c",
     "#include <curand_kernel.h>\n__global__ void k(float *p) { curandStateSobol32_t s; *p = "
     "curand_normal(&s); }",
     "cudacpu does not provide normal numbers of Sobol's sequence: apply normcdfinv()"},
    {"-c",
     "#include <mma.h>\nusing namespace nvcuda::wmma;\n__global__ void k() { fragment<matrix_a, "
     "16, "
     "16, 16, double, row_major> a; (void)a; }",
     "mma.h: the shapes are 16x16x16"},
};
enum { PROGRAM_COUNT = sizeof PROGRAMS / sizeof *PROGRAMS };

int count_refused(void) { return PROGRAM_COUNT + ptx_program_count; }

const refused_program *find_refused(int i) {
    return i < PROGRAM_COUNT ? &PROGRAMS[i] : &PTX_PROGRAMS[i - PROGRAM_COUNT];
}

const char *check_refused(int i) {
    static char message[12000];
    const refused_program *program = find_refused(i);
    char base[200], command[1000], said[10000];
    snprintf(base, sizeof base, BUILD "/tests/refused.%d", (int)getpid());
    snprintf(command, sizeof command, "cat >%s.cu; cudacpu/cpucc %s %s.cu -o %s.o >%s.txt 2>&1",
             base, program->arguments, base, base, base);
    FILE *compiler = popen(command, "w");
    if (!compiler)
        return "no shell";
    fputs(program->source, compiler);
    const int status = pclose(compiler);
    snprintf(command, sizeof command, "%s.txt", base);
    FILE *text = fopen(command, "r");
    said[text ? fread(said, 1, sizeof said - 1, text) : 0] = 0;
    if (text)
        fclose(text);
    unlink(command);
    snprintf(command, sizeof command, "%s.cu", base);
    unlink(command);
    snprintf(command, sizeof command, "%s.o", base);
    const int made = unlink(command) == 0 && strcmp(program->arguments, "-E") != 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && strstr(said, program->sentence) && !made)
        return NULL;
    snprintf(message, sizeof message, "'%s' was not refused with '%s', but: status %d, '%s'%s",
             program->source, program->sentence, status, said, made ? ", and an object file" : "");
    return message;
}
