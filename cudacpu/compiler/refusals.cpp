/* refusals.cpp - finds what cudacpu does not provide and what CUDA does not allow. */
#include "refusals.h"
#include "tokens.h"
#include <cstring>

namespace {

/* Names that say what is not provided; a * stands for any ending. */
const char *const NOT_PROVIDED[] = {"cudaGraph*",
                                    "cudaStreamBeginCapture",
                                    "cudaStreamEndCapture",
                                    "cudaLaunchKernel",
                                    "cudaLaunchAttributeCooperative",
                                    "cudaLaunchAttributePr*",
                                    "cudaLaunchCooperativeKernel",
                                    "cudaTextureObject_t",
                                    "cudaTextureDesc",
                                    "cudaCreateTextureObject",
                                    "tex1D",
                                    "tex1Dfetch",
                                    "tex2D",
                                    "tex2DLod",
                                    "tex3D",
                                    "cudaSurfaceObject_t",
                                    "cudaCreateSurfaceObject",
                                    "surf2Dread",
                                    "surf2Dwrite",
                                    "cudaArray",
                                    "cudaArray_t",
                                    "cudaMallocArray",
                                    "cudaMemcpyToArray",
                                    "cudaMemcpy2DToArray",
                                    "cudaMalloc3D*",
                                    "cudaMemcpy3D*",
                                    "cudaMemPrefetchAsync",
                                    "cudaMemPool_t",
                                    "cudaIpc*",
                                    "cudaOccupancyMax*",
                                    "__nanosleep"};

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

} // namespace

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
    if (word == "texture" && is(i + 1, "<"))
        fail(i, "cudacpu does not provide textures: they need nvcc and a GPU");
}

void check_called(size_t i) {
    if (is_called(i))
        fail(i, "a kernel must be launched: " + token_text(i) + "<<<grid, block>>>(...)");
}
