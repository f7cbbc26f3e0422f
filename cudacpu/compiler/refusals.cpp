/* refusals.cpp - finds what cudacpu does not provide and what CUDA does not allow. */
#include "refusals.h"
#include "template_arguments.h"
#include "tokens.h"
#include <algorithm>
#include <cstring>

namespace {

/* Names that say what is not provided, a * stands for any ending; and what to do. */
const struct {
    const char *names, *instead;
} NOT_PROVIDED[] = {
    {"cudaGraphAddEvent* cudaGraphAddExternal* cudaGraphAddNode "
     "cudaGraphMemcpyNodeGetParams cudaGraphInstantiateWithParams "
     "cudaStreamBeginCaptureToGraph cudaUserObject* cudaGraphConditional* cudaStreamUpdateCapture* "
     "cudaImportExternal* cudaSignalExternal* "
     "cudaWaitExternal* cudaExternalMemory* cudaDestroyExternal* cudaMemcpyBatchAsync "
     "cudaMemcpy3DBatchAsync cudaMemDiscard* cudaLogs* cudaGetFuncBySymbol cudaFuncGetParamInfo "
     "cudaMemRangeGetAttribute* cudaLaunchCooperativeKernelMultiDevice "
     "cudaCreateChannelDescHalf* cudaMemcpy3DPeer* tex2Dgather "
     "tex3DLod tex1DLod tex1DGrad tex2DGrad tex3DGrad "
     "tex1DLayeredLod tex1DLayeredGrad tex2DLayeredLod tex2DLayeredGrad texCubemapLod "
     "texCubemapGrad "
     "texCubemapLayeredLod texCubemapLayeredGrad "
     "cudaLaunchAttributePriority cudaLaunchAttributePreferred* "
     "cudaLaunchAttributeProgrammaticEvent cudaLaunchAttributeLaunchCompletionEvent tex2DLod "
     "cudaMemPoolExport* cudaMemPoolImport* cudaIpc* "
     "cudaOccupancyMaxActiveClusters cudaOccupancyMaxPotentialClusterSize ncclCommInitRankConfig "
     "ncclCommInitRankScalable ncclConfig_t ncclCommSplit ncclCommShrink ncclCommRevoke "
     "ncclCommRegister ncclCommDeregister ncclCommWindow* ncclWindow_t ncclMemAlloc ncclMemFree "
     "ncclRedOpCreate* ncclRedOpDestroy ncclAlltoAll ncclGather ncclScatter ncclGroupSimulateEnd "
     "ncclFloat8* cudaArrayGetMemoryRequirements cudaArrayGetPlane cudaArrayGetSparse* "
     "cudaArraySparse* cudaMipmappedArrayGet* cudaDeviceFlushGPUDirectRDMAWrites "
     "cudaDeviceGetNvSciSync* cudaDeviceRegisterAsync* cudaDeviceUnregisterAsync* "
     "cudaDeviceGetHostAtomic* cudaDeviceGetP2PAtomic* cudaDeviceGetGraphMem* "
     "cudaDeviceSetGraphMem* cudaDeviceGraphMem* cudaGraphMemAllocNodeGetParams "
     "cudaGraphMemFreeNodeGetParams "
     "cudaLaunchAttributeMemSync* cudaLaunchAttributeClusterScheduling* "
     "cudaLaunchAttributeSynchronizationPolicy cudaLaunchAttributeNvlink* "
     "cudaLaunchAttributeDeviceUpdatable* cudaStreamAttributePriority cudaStreamAttributeMemSync* "
     "cudaStreamAttributeSynchronizationPolicy cudaMemPrefetchBatchAsync "
     "cudaMemHandleTypeFabric cudaMemHandleTypeWin32* cudaFuncGetName __u128Atomic* __nv_fp128_* "
     "__cluster_query_shared_rank __cluster_map_shared_multicast __isClusterShared __isCtaShared",
     "it needs nvcc and a GPU"},
    {"__isConstant __isGridConstant", "its memory is not told from other memory of the program"},
    {"cudaGraphEventRecord* cudaGraphEventWait* cudaGraphExecEvent* cudaGraphExecExternal* "
     "cudaGraphExternalSem* cudaGraphNodeSetEnabled cudaGraphNodeGetEnabled "
     "cudaGraphNodeSetParams cudaGraphExecNodeSetParams cudaGraphKernelNodeCopyAttributes "
     "cudaGraphKernelNodeGetAttribute cudaGraphKernelNodeSetAttribute "
     "cudaGraphHostNodeGetParams cudaGraphMemsetNodeGetParams cudaGraphChildGraphNodeGetGraph "
     "cudaGraphExecChildGraph* "
     "cudaGraphMemcpyNodeSetParams1D cudaGraphMemcpyNodeSetParamsToSymbol "
     "cudaGraphMemcpyNodeSetParamsFromSymbol cudaGraphExecMemcpyNodeSetParamsToSymbol "
     "cudaGraphExecMemcpyNodeSetParamsFromSymbol cudaGraphExecGetFlags cudaGraphRetainUserObject "
     "cudaGraphReleaseUserObject",
     "build the graph again with the nodes that it shall have (cudaGraphAddKernelNode, "
     "cudaGraphExecUpdate)"},
    {"cudaLibrary* cudaKernel_t cudaGetKernel cudaKernelSetAttribute* cudaJit*",
     "a library is code for a GPU; launch a kernel of this program with <<<grid, block>>>"},
    {"cudaDeviceGetTexture1DLinearMaxWidth", "maxTexture1DLinear of cudaDeviceProp is provided"},
    {"cudaMemcpyArrayToArray", "cudaMemcpy2DArrayToArray is provided"},
    {"cudaGetTextureObjectResourceDesc cudaGetTextureObjectTextureDesc "
     "cudaGetTextureObjectResourceViewDesc cudaGetSurfaceObjectResourceDesc",
     "keep the description that the object was made with"},
    {"cudaResViewFormat* cudaResourceViewDesc cudaResourceViewFormat",
     "a texture reads its memory in the format of that memory"},
    {"cudaRoundMode cudaRoundNearest cudaRoundZero cudaRoundPosInf cudaRoundMinInf",
     "each rounding has a function, such as __dadd_rz"},
    {"cudaMallocMipmappedArray cudaMipmappedArray_t cudaMipmappedArray_const_t "
     "cudaGetMipmappedArrayLevel cudaFreeMipmappedArray",
     "an array and a texture object for each level are provided (cudaMallocArray)"},
    {"CUmodule CUfunction CUlibrary CUkernel CUlinkState cuModuleLoad* cuModuleGet* cuModuleUnload "
     "cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuLinkCreate* cuLinkAdd* "
     "cuLinkComplete cuLibraryLoad* cuKernelGet* cuFuncGet* cuFuncSet* cuOccupancyMax*",
     "a module is code for a GPU; launch a kernel of this program with <<<grid, block>>>"},
    {"cudaOccMax* cudaOccDevice* cudaOccFunc* cudaOccResult cudaOccAvailable* cudaOccSub*",
     "cudaOccupancyMaxActiveBlocksPerMultiprocessor is provided"},
    {"cudaGraphics*", "copy to the host and draw there, or use nvcc and a GPU"},
    {"cudaSetDoubleForDevice cudaSetDoubleForHost",
     "CUDA 13 has none either: a double is one on the device"},
    {"CUtensorMap cuTensorMap* CU_TENSOR_MAP_* PFN_cuTensorMap*",
     "tensor maps need nvcc and a GPU; cp.async.bulk without a map is provided"},
    {"cudaGetDriverEntryPoint* cuGetProcAddress* CUarray cuArrayCreate* cuArrayDestroy "
     "cuTexRefCreate cuTexRefSet* cuTexObjectCreate cuSurfObjectCreate cuSurfRefSet* CUtexref "
     "CUtexObject cuGraphCreate cuGraphInstantiate* cuGraphLaunch cuMemcpy2D* cuMemcpy3D* "
     "CUDA_MEMCPY2D CUDA_MEMCPY3D cuMemCreate cuMemMap cuMemAddressReserve cuMemSetAccess "
     "cuPointerGetAttribute* cuIpcGet* cuIpcOpen*",
     "of the driver API it has devices, contexts, memory, streams and events; the runtime API "
     "(cuda...) has more"},
    {"PFN_cu*", "call the driver API's function of cuda.h by its name"},
    {"__nv_fp8_e8m0 __nv_fp8x2_e8m0 __nv_fp8x4_e8m0 __nv_cvt_bfloat16raw_to_e8m0 "
     "__nv_cvt_bfloat162raw_to_e8m0x2 __nv_cvt_float_to_e8m0 __nv_cvt_float2_to_e8m0x2 "
     "__nv_cvt_double_to_e8m0 __nv_cvt_double2_to_e8m0x2 __nv_cvt_e8m0_to_bf16raw "
     "__nv_cvt_e8m0x2_to_bf162raw",
     "of cuda_fp8.h it has e4m3 and e5m2"},
    {"curandStateMtgp32 curandStateMtgp32_t "
     "curandStateScrambledSobol* CURAND_RNG_PSEUDO_MTGP32 "
     "CURAND_RNG_PSEUDO_MT19937 CURAND_RNG_QUASI_SCRAMBLED*",
     "XORWOW (curandState), Philox (curandStatePhilox4_32_10_t), MRG32k3a and Sobol's sequence are "
     "provided"},
    {"curand_poisson* curand_discrete* curandGeneratePoisson* curandCreatePoissonDistribution",
     "uniform, normal and log-normal numbers are provided"},
    {"cublasCgemm cublasZgemm cublasCgemm3m cublasZgemm3m cublasCgemmBatched cublasZgemmBatched "
     "cublasCgemmStridedBatched cublasZgemmStridedBatched cublasCgemv cublasZgemv cublasCgeru "
     "cublasCgerc cublasZgeru cublasZgerc cublasCaxpy cublasZaxpy cublasCscal cublasZscal "
     "cublasCsscal cublasZdscal cublasCdotu cublasCdotc cublasZdotu cublasZdotc cublasCcopy "
     "cublasZcopy cublasCswap cublasZswap cublasScnrm2 cublasDznrm2 cublasScasum cublasDzasum "
     "cublasIcamax cublasIzamax cublasIcamin cublasIzamin cublasChemm cublasZhemm cublasChemv "
     "cublasZhemv cublasCher cublasZher cublasCher2 cublasZher2 cublasCherk cublasZherk "
     "cublasCher2k cublasZher2k cublasCgeam cublasZgeam cublasCtrsm cublasZtrsm cublasCtrmm "
     "cublasZtrmm cublasCsymm cublasZsymm cublasCsyrk cublasZsyrk cublasStrmm cublasDtrmm "
     "cublasStrmv cublasDtrmv cublasSsyr cublasDsyr cublasSsyr2 cublasDsyr2 cublasSsyr2k "
     "cublasDsyr2k cublasSsyrkx cublasDsyrkx cublasSgbmv cublasDgbmv cublasSsbmv cublasDsbmv "
     "cublasSspmv cublasDspmv cublasStbmv cublasDtbmv cublasStbsv cublasDtbsv cublasStpmv "
     "cublasDtpmv cublasStpsv cublasDtpsv cublasSspr cublasDspr cublasSspr2 cublasDspr2 "
     "cublasSrotg cublasDrotg cublasSrotm cublasDrotm cublasSrotmg cublasDrotmg cublasSdgmm "
     "cublasDdgmm cublasStpttr cublasDtpttr cublasStrttp cublasDtrttp cublasStrsmBatched "
     "cublasDtrsmBatched cublasSgetrfBatched cublasDgetrfBatched cublasSgetriBatched "
     "cublasDgetriBatched cublasSgetrsBatched cublasDgetrsBatched cublasSmatinvBatched "
     "cublasDmatinvBatched cublasSgeqrfBatched cublasDgeqrfBatched cublasSgemvBatched "
     "cublasDgemvBatched cublasSgemvStridedBatched cublasDgemvStridedBatched cublasHgemmBatched "
     "cublasSgemmEx cublasGemmBatchedEx cublasSgemmGroupedBatched cublasDgemmGroupedBatched "
     "cublasGemmGroupedBatchedEx cublasAxpyEx cublasDotEx cublasDotcEx cublasNrm2Ex cublasScalEx "
     "cublasRotEx cublasLoggerConfigure",
     "of cuBLAS it has, for real numbers, what works on vectors, gemv, ger, symv, trsv, gemm "
     "(also batched, cublasGemmEx, cublasHgemm), geam, symm, syrk and trsm"},
    {"cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaUnbindTexture "
     "cudaGetTextureReference cudaBindSurfaceToArray textureReference surfaceReference",
     "CUDA 12 has no texture references; use a texture object (cudaCreateTextureObject)"},
};

/* Is the word one of the names? */
bool is_one_of(const std::string &word, const char *names) {
    for (const char *name = names; *name;) {
        const size_t length = std::strcspn(name, " ");
        if (name[length - 1] == '*' ? word.compare(0, length - 1, name, length - 1) == 0
                                    : word.compare(0, std::string::npos, name, length) == 0)
            return true;
        name += length + std::strspn(name + length, " ");
    }
    return false;
}

/* Is token i, a kernel's name, called like any function? A launch has <<< there, a declaration a
 * type before it. */
bool is_called_by_name(size_t i) {
    size_t next = i + 1;
    if (is(next, "<") && !is(next + 1, "<")) /* k<float>(...) */
        next = find_arguments_end(next) + 1;
    if (!is(next, "(") || i == 0)
        return false;
    if (is(i - 1, ")")) {
        size_t open = match_back(i - 1, "(", ")");
        return open > 0 && (is(open - 1, "if") || is(open - 1, "for") || is(open - 1, "while"));
    }
    for (const char *before : {";", "{", "}", "else", "do", "return", ":"})
        if (is(i - 1, before))
            return true;
    return false;
}

/* The parts of the text that are the program's own, neither the system's nor cudacpu's: where each
 * begins and ends. */
std::vector<std::pair<size_t, size_t>> find_own_text() {
    std::vector<std::pair<size_t, size_t>> parts;
    std::string cudacpu; /* the folder of its headers */
    bool own = false;
    for (size_t i = 0, begin = 0; i <= text.size();) {
        const size_t end = std::min(text.find('\n', i), text.size());
        const bool is_marker = text.compare(i, 2, "# ") == 0;
        if ((is_marker || end == text.size()) && own)
            parts.push_back({begin, i});
        if (is_marker) {
            const size_t quote = text.find('"', i), close = text.find('"', quote + 1);
            const std::string file = text.substr(quote + 1, close - quote - 1);
            const size_t name = file.rfind("cuda_runtime.h");
            if (cudacpu.empty() && name != std::string::npos)
                cudacpu = file.substr(0, name);
            own = text.substr(close, end - close).find('3') == std::string::npos &&
                  (cudacpu.empty() || file.compare(0, cudacpu.size(), cudacpu) != 0);
            begin = end;
        }
        i = end + 1;
    }
    return parts;
}
bool is_own(size_t i) {
    static const auto &parts = *new auto(find_own_text());
    const auto after =
        std::upper_bound(parts.begin(), parts.end(), std::make_pair(tokens[i].begin, text.size()));
    return after != parts.begin() && tokens[i].begin < std::prev(after)->second;
}

/* May a type end at token i? */
bool ends_type(size_t i) {
    if (is(i, "*") || is(i, "&"))
        return i > 0 && ends_type(i - 1);
    for (const char *word : {"return", "else", "case", "goto", "new", "delete", "throw"})
        if (is(i, word))
            return false;
    return is_identifier(i) || is(i, ">");
}
bool declares_function(size_t i) {
    return i > 0 && is(i + 1, "(") && ends_type(i - 1) && !has_word(find_begin(i), i, "__global__");
}
bool declares_object(size_t i) {
    if (i > 2 && is(i - 1, "*") && is(i - 2, "(") && is(i + 1, ")") && ends_type(i - 3))
        return true; /* void (*k)(int) */
    if (i == 0 || !ends_type(i - 1))
        return false;
    for (const char *next : {"=", ";", "{", ",", ")", "[", ":"})
        if (is(i + 1, next))
            return true;
    return false;
}
template <class F> bool has_declaration(const std::string &name, F declares) {
    for (size_t i = 0; i < tokens.size(); i++)
        if (is(i, name.c_str()) && declares(i))
            return true;
    return false;
}

/* May the arguments between these tokens be such that the call means std::copy? */
bool may_be_standard(size_t open) {
    const size_t close = match(open, "(", ")");
    if (has_word(open, close, "std") || has_word(open, close, "begin"))
        return true;
    for (size_t i = 0; i < tokens.size(); i++)
        if (is(i, "using") && is(i + 1, "namespace") && is(i + 2, "std") && is_own(i))
            return true;
    return false;
}

/* May the call at token i be of something else that has the kernel's name? */
bool is_shared_name(size_t i) {
    size_t open = i + 1;
    while (!is(open, "("))
        open++;
    const bool standard = may_be_standard(open);
    return has_declaration(token_text(i), [=](size_t j) {
        return is_own(j) ? declares_function(j) || declares_object(j)
                         : standard && declares_function(j);
    });
}

} // namespace

bool opens_device_code(size_t i) {
    const size_t begin = find_begin(i);
    return has_word(begin, i, "__global__") || has_word(begin, i, "__device__");
}

void check_provided(size_t i) {
    const std::string word = token_text(i);
    /* each of the names begins so */
    if (word.compare(0, 2, "cu") == 0 || word.compare(0, 2, "CU") == 0 ||
        word.compare(0, 3, "tex") == 0 || word.compare(0, 4, "surf") == 0 ||
        word.compare(0, 4, "nccl") == 0 || word.compare(0, 4, "__is") == 0 ||
        word.compare(0, 4, "__cl") == 0 || word.compare(0, 4, "__nv") == 0 ||
        word.compare(0, 4, "__u1") == 0 || word.compare(0, 4, "PFN_") == 0)
        for (const auto &missing : NOT_PROVIDED)
            if (is_one_of(word, missing.names))
                fail(i, "cudacpu does not provide " + word + ": " + missing.instead);
    if ((word == "texture" || word == "surface") && is(i + 1, "<") && is_identifier(i + 2) &&
        (is(i + 3, ",") || is(i + 3, ">")) && !is_template(i)) /* of the program's own */
        fail(i, "cudacpu does not provide texture and surface references, nor does CUDA 12: use an "
                "object (cudaCreateTextureObject, cudaCreateSurfaceObject)");
}

/* What is not found here is found when the program runs. */
void check_called(size_t i) {
    if (is_called_by_name(i) && is_own(i) && !is_shared_name(i))
        fail(i, "a kernel must be launched: " + token_text(i) + "<<<grid, block>>>(...)");
}

void check_kernel(size_t i) {
    const bool own =
        is_own(i); /* then a header's parameter of the same name is not what it means */
    if (has_declaration(token_text(i),
                        [](size_t j) { return declares_function(j) && is(j - 1, "void"); }) &&
        !has_declaration(token_text(i),
                         [=](size_t j) { return declares_object(j) && (is_own(j) || !own); }))
        fail(i, token_text(i) + " is launched, but it is no kernel: __global__ is missing before " +
                    "void " + token_text(i) + "(...)");
}
