/* not_provided.cpp - a pass that refuses the names of CUDA that cudacpu does not have, with what to
 * do. */
#include "compiler/passes.h"
#include "compiler/syntax.h"
#include <cstring>

namespace {

/* Names that say what is not provided, a * stands for any ending; and what to do. */
const struct {
    const char *names, *instead;
} NOT_PROVIDED[] = {
    {"cudaGraphAddEvent* cudaGraphAddExternal* cudaGraphAddNode cudaGraphMemcpyNodeGetParams "
     "cudaGraphInstantiateWithParams cudaStreamBeginCaptureToGraph cudaUserObject* "
     "cudaGraphConditional* cudaStreamUpdateCapture* cudaImportExternal* cudaSignalExternal* "
     "cudaWaitExternal* cudaExternalMemory* cudaDestroyExternal* cudaMemcpyBatchAsync "
     "cudaMemcpy3DBatchAsync cudaMemDiscard* cudaLogs* cudaGetFuncBySymbol cudaFuncGetParamInfo "
     "cudaMemRangeGetAttribute* cudaLaunchCooperativeKernelMultiDevice cudaCreateChannelDescHalf* "
     "cudaMemcpy3DPeer* tex2Dgather tex3DLod tex1DLod tex1DGrad tex2DGrad tex3DGrad "
     "tex1DLayeredLod tex1DLayeredGrad tex2DLayeredLod tex2DLayeredGrad texCubemapLod "
     "texCubemapGrad texCubemapLayeredLod texCubemapLayeredGrad cudaLaunchAttributePriority "
     "cudaLaunchAttributePreferred* cudaLaunchAttributeProgrammaticEvent "
     "cudaLaunchAttributeLaunchCompletionEvent tex2DLod cudaMemPoolExport* cudaMemPoolImport* "
     "cudaIpc* cudaOccupancyMaxActiveClusters cudaOccupancyMaxPotentialClusterSize "
     "ncclCommInitRankConfig ncclCommInitRankScalable ncclConfig_t ncclCommSplit ncclCommShrink "
     "ncclCommRevoke ncclCommRegister ncclCommDeregister ncclCommWindow* ncclWindow_t ncclMemAlloc "
     "ncclMemFree ncclRedOpCreate* ncclRedOpDestroy ncclAlltoAll ncclGather ncclScatter "
     "ncclGroupSimulateEnd ncclFloat8* cudaArrayGetMemoryRequirements cudaArrayGetPlane "
     "cudaArrayGetSparse* cudaArraySparse* cudaMipmappedArrayGet* "
     "cudaDeviceFlushGPUDirectRDMAWrites cudaDeviceGetNvSciSync* cudaDeviceRegisterAsync* "
     "cudaDeviceUnregisterAsync* cudaDeviceGetHostAtomic* cudaDeviceGetP2PAtomic* "
     "cudaDeviceGetGraphMem* cudaDeviceSetGraphMem* cudaDeviceGraphMem* "
     "cudaGraphMemAllocNodeGetParams cudaGraphMemFreeNodeGetParams cudaLaunchAttributeMemSync* "
     "cudaLaunchAttributeClusterScheduling* cudaLaunchAttributeSynchronizationPolicy "
     "cudaLaunchAttributeNvlink* cudaLaunchAttributeDeviceUpdatable* cudaStreamAttributePriority "
     "cudaStreamAttributeMemSync* cudaStreamAttributeSynchronizationPolicy "
     "cudaMemPrefetchBatchAsync cudaMemHandleTypeFabric cudaMemHandleTypeWin32* cudaFuncGetName "
     "__u128Atomic* __nv_fp128_* __cluster_query_shared_rank __cluster_map_shared_multicast "
     "__isClusterShared __isCtaShared",
     "it needs nvcc and a GPU"},
    {"__isConstant __isGridConstant", "its memory is not told from other memory of the program"},
    {"cudaGraphEventRecord* cudaGraphEventWait* cudaGraphExecEvent* cudaGraphExecExternal* "
     "cudaGraphExternalSem* cudaGraphNodeSetEnabled cudaGraphNodeGetEnabled cudaGraphNodeSetParams "
     "cudaGraphExecNodeSetParams cudaGraphKernelNodeCopyAttributes cudaGraphKernelNodeGetAttribute "
     "cudaGraphKernelNodeSetAttribute cudaGraphHostNodeGetParams cudaGraphMemsetNodeGetParams "
     "cudaGraphChildGraphNodeGetGraph cudaGraphExecChildGraph* cudaGraphMemcpyNodeSetParams1D "
     "cudaGraphMemcpyNodeSetParamsToSymbol cudaGraphMemcpyNodeSetParamsFromSymbol "
     "cudaGraphExecMemcpyNodeSetParamsToSymbol cudaGraphExecMemcpyNodeSetParamsFromSymbol "
     "cudaGraphExecGetFlags cudaGraphRetainUserObject cudaGraphReleaseUserObject",
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
    {"curandStateMtgp32 curandStateMtgp32_t curandStateScrambledSobol* CURAND_RNG_PSEUDO_MTGP32 "
     "CURAND_RNG_PSEUDO_MT19937 CURAND_RNG_QUASI_SCRAMBLED*",
     "XORWOW (curandState), Philox (curandStatePhilox4_32_10_t), MRG32k3a and Sobol's sequence are "
     "provided"},
    {"curand_poisson* curand_discrete* curandGeneratePoisson* curandCreatePoissonDistribution",
     "uniform, normal and log-normal numbers are provided"},
    {"cublasCgemm cublasZ* cublasCgemm3m cublasCgemmBatched cublasCgemmStridedBatched cublasCgemv "
     "cublasCgeru cublasCgerc cublasCaxpy cublasCscal cublasCsscal cublasCdotu cublasCdotc "
     "cublasCcopy cublasCswap cublasScnrm2 cublasDznrm2 cublasScasum cublasDzasum cublasIcamax "
     "cublasIzamax cublasIcamin cublasIzamin cublasChemm cublasChemv cublasCher cublasCher2 "
     "cublasCherk cublasCher2k cublasCgeam cublasCtrsm cublasCtrmm cublasCsymm cublasCsyrk "
     "cublasStrmm cublasDtrmm cublasStrmv cublasDtrmv cublasSsyr cublasDsyr cublasSsyr2 "
     "cublasDsyr2 cublasSsyr2k cublasDsyr2k cublasSsyrkx cublasDsyrkx cublasSgbmv cublasDgbmv "
     "cublasSsbmv cublasDsbmv cublasSspmv cublasDspmv cublasStbmv cublasDtbmv cublasStbsv "
     "cublasDtbsv cublasStpmv cublasDtpmv cublasStpsv cublasDtpsv cublasSspr cublasDspr "
     "cublasSspr2 cublasDspr2 cublasSrotg cublasDrotg cublasSrotm cublasDrotm cublasSrotmg "
     "cublasDrotmg cublasSdgmm cublasDdgmm cublasStpttr cublasDtpttr cublasStrttp cublasDtrttp "
     "cublasStrsmBatched cublasDtrsmBatched cublasSgetrfBatched cublasDgetrfBatched "
     "cublasSgetriBatched cublasDgetriBatched cublasSgetrsBatched cublasDgetrsBatched "
     "cublasSmatinvBatched cublasDmatinvBatched cublasSgeqrfBatched cublasDgeqrfBatched "
     "cublasSgemvBatched cublasDgemvBatched cublasSgemvStridedBatched cublasDgemvStridedBatched "
     "cublasHgemmBatched cublasSgemmEx cublasGemmBatchedEx cublasSgemmGroupedBatched "
     "cublasDgemmGroupedBatched cublasGemmGroupedBatchedEx cublasAxpyEx cublasDotEx cublasDotcEx "
     "cublasNrm2Ex cublasScalEx cublasRotEx cublasLoggerConfigure",
     "of cuBLAS it has, for real numbers, what works on vectors, gemv, ger, symv, trsv, gemm (also "
     "batched, cublasGemmEx, cublasHgemm), geam, symm, syrk and trsm"},
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

/* Each of the names begins so. */
bool may_be_missing(const std::string &word) {
    for (const char *prefix :
         {"cu", "CU", "tex", "surf", "nccl", "__is", "__cl", "__nv", "__u1", "PFN_"})
        if (word.compare(0, std::strlen(prefix), prefix) == 0)
            return true;
    return false;
}

void check_provided() {
    for (const size_t i : first_occurrences()) {
        const std::string word = token_text(i);
        if (may_be_missing(word))
            for (const auto &missing : NOT_PROVIDED)
                if (is_one_of(word, missing.names))
                    fail(i, "cudacpu does not provide " + word + ": " + missing.instead);
    }
    for (const size_t i : occurrences({"texture", "surface"}))
        if (is(i + 1, "<") && is_identifier(i + 2) && (is(i + 3, ",") || is(i + 3, ">")) &&
            !is_template(i)) /* of the program's own */
            fail(i, "cudacpu does not provide texture and surface references, nor does CUDA 12: "
                    "use an object (cudaCreateTextureObject, cudaCreateSurfaceObject)");
}

const bool registered = (passes().push_back(check_provided), true);

} // namespace
