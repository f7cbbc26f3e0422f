/* refusals.cpp - finds what cudacpu does not provide and what CUDA does not allow. */
#include "refusals.h"
#include "tokens.h"
#include <cstring>

namespace {

/* Names that say what is not provided; a * stands for any ending. */
const char *const NOT_PROVIDED[] = {"cudaGraphAddEvent*",
                                    "cudaGraphAddExternal*",
                                    "cudaGraphAddMemAlloc*",
                                    "cudaGraphAddMemFree*",
                                    "cudaGraphAddNode",
                                    "cudaGraphMemcpyNodeGetParams",
                                    "cudaGraphInstantiateWithParams",
                                    "cudaStreamBeginCaptureToGraph",
                                    "cudaUserObject*",
                                    "cudaGraphConditional*",
                                    "cudaStreamUpdateCapture*",
                                    "cudaMalloc3DMipmapped*",
                                    "cudaMallocMipmappedArray",
                                    "cudaMipmappedArray_t",
                                    "cudaCreateChannelDescHalf*",
                                    "cudaMemcpy3DPeer*",
                                    "tex2Dgather",
                                    "tex3DLod",
                                    "tex1DLod",
                                    "tex1DGrad",
                                    "tex2DGrad",
                                    "cudaLaunchAttributePriority",
                                    "cudaLaunchAttributePreferred*",
                                    "cudaLaunchAttributeProgrammaticEvent",
                                    "cudaLaunchAttributeLaunchCompletionEvent",
                                    "tex2DLod",
                                    "tex3DGrad",
                                    "tex1DLayeredLod",
                                    "tex1DLayeredGrad",
                                    "tex2DLayeredLod",
                                    "tex2DLayeredGrad",
                                    "texCubemapLod",
                                    "texCubemapGrad",
                                    "texCubemapLayeredLod",
                                    "texCubemapLayeredGrad",
                                    "cudaMemPoolExport*",
                                    "cudaMemPoolImport*",
                                    "cudaIpc*",
                                    "cudaOccupancyMaxActiveClusters",
                                    "cudaOccupancyMaxPotentialClusterSize",
                                    "ncclCommInitRankConfig",
                                    "ncclCommInitRankScalable",
                                    "ncclConfig_t",
                                    "ncclCommSplit",
                                    "ncclCommShrink",
                                    "ncclCommRevoke",
                                    "ncclCommRegister",
                                    "ncclCommDeregister",
                                    "ncclCommWindow*",
                                    "ncclWindow_t",
                                    "ncclMemAlloc",
                                    "ncclMemFree",
                                    "ncclRedOpCreate*",
                                    "ncclRedOpDestroy",
                                    "ncclAlltoAll",
                                    "ncclGather",
                                    "ncclScatter",
                                    "ncclGroupSimulateEnd",
                                    "ncclFloat8*"};

/* Is token i, a kernel's name, called like any function? A launch has <<< there, a declaration a
 * type before it. */
bool is_called(size_t i) {
    size_t next = i + 1;
    if (is(next, "<") && !is(next + 1, "<")) { /* k<float>(...) */
        int depth = 0;
        for (; next < tokens.size() && !is(next, ";"); next++) {
            if (is(next, "("))
                next = match(next, "(", ")");
            else if (is(next, "<"))
                depth++;
            else if (is(next, ">") && --depth == 0)
                break;
        }
        next++;
    }
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

bool has_word(size_t begin, size_t end, const char *word) {
    for (size_t j = begin; j < end; j++)
        if (is(j, word))
            return true;
    return false;
}

/* Is there a function of this name that is no kernel? */
bool is_function_too(const std::string &name) {
    for (size_t j = 1; j < tokens.size(); j++)
        if (is(j, name.c_str()) && is(j + 1, "(") && !is(j - 1, "return") && !is(j - 1, "else") &&
            (is_identifier(j - 1) || is(j - 1, "*") || is(j - 1, "&") || is(j - 1, ">")) &&
            !has_word(find_begin(j), j, "__global__"))
            return true;
    return false;
}

/* Of the driver API: the types, and how its functions begin. */
const char *const DRIVER_TYPES[] = {"CUdevice",   "CUcontext", "CUmodule",
                                    "CUfunction", "CUresult",  "CUdeviceptr"};
const char *const DRIVER_CALLS[] = {"cuInit",         "cuCtx",    "cuDevice", "cuDriverGet",
                                    "cuModule",       "cuMem",    "cuFunc",   "cuLaunch",
                                    "cuGetErrorName", "cuStream", "cuEvent",  "cuLink"};

/* Does the program say itself what this type is? */
bool is_own_type(const std::string &name) {
    for (size_t j = 1; j < tokens.size(); j++)
        if (is(j, name.c_str()) &&
            (is(j - 1, "struct") || is(j - 1, "class") || is(j - 1, "enum") || is(j - 1, "using") ||
             has_word(find_begin(j), j, "typedef")))
            return true;
    return false;
}

/* Does the program declare it, as a function, a variable or a member? */
bool is_own_name(const std::string &name) {
    for (size_t j = 1; j < tokens.size(); j++)
        if (is(j, name.c_str()) && !is(j - 1, "return") && !is(j - 1, "else") &&
            (is_identifier(j - 1) || is(j - 1, "*") || is(j - 1, "&") || is(j - 1, ">")))
            return true;
    return false;
}

void check_driver(size_t i, const std::string &word) {
    bool is_of_driver = false;
    for (const char *name : DRIVER_TYPES)
        is_of_driver |= word == name && !is_own_type(word);
    for (const char *name : DRIVER_CALLS)
        is_of_driver |= word.compare(0, std::strlen(name), name) == 0 && is(i + 1, "(") &&
                        !is(i - 1, ".") && !is(i - 1, "->") && !is_own_name(word);
    if (is_of_driver)
        fail(i,
             "cudacpu does not provide the driver API (" + word +
                 "): the runtime's calls work, such as cudaSetDevice, cudaMalloc and k<<<...>>>");
}

} // namespace

bool opens_device_code(size_t i) {
    const size_t begin = find_begin(i);
    return has_word(begin, i, "__global__") ||
           (has_word(begin, i, "__device__") && !has_word(begin, i, "__host__"));
}

void check_provided(size_t i) {
    const std::string word = token_text(i);
    for (const char *name : NOT_PROVIDED) {
        if (name[0] != word[0])
            continue;
        const size_t length = std::strlen(name);
        if (name[length - 1] == '*' ? word.compare(0, length - 1, name, length - 1) == 0
                                    : word == name)
            fail(i, "cudacpu does not provide " + word + ": it needs nvcc and a GPU");
    }
    if (word[0] == 'c' || word[0] == 'C')
        check_driver(i, word);
    if (word == "texture" && is(i + 1, "<"))
        fail(i, "cudacpu does not provide textures: they need nvcc and a GPU");
}

void check_called(size_t i) {
    if (is_called(i) && !is_function_too(token_text(i)))
        fail(i, "a kernel must be launched: " + token_text(i) + "<<<grid, block>>>(...)");
}
