/* array_api.h - the part of the runtime API that is about arrays, textures and surfaces, in plain
 * C. more_api.h includes it. Widths of arrays are in elements, of copies in bytes. */
#ifndef CUDACPU_ARRAY_API_H
#define CUDACPU_ARRAY_API_H

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each channel, 0 for none */
    enum cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1, /* depth is the number of layers; height 0: of one dimension */
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4 /* six faces, square; with layers six for each */
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
};

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent; /* width in elements where an array takes part, else in bytes */
    enum cudaMemcpyKind kind;
};

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height CUDACPU_DEFAULT(0),
                            unsigned flags CUDACPU_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags CUDACPU_DEFAULT(0));
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array);
/* A call that waits, and the one that does not. */
#define CUDACPU_COPY(name, ...)                                                                    \
    cudaError_t name(__VA_ARGS__);                                                                 \
    cudaError_t name##Async(__VA_ARGS__, cudaStream_t stream CUDACPU_DEFAULT(0));
CUDACPU_COPY(cudaMemcpyToArray, cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
             enum cudaMemcpyKind kind)
CUDACPU_COPY(cudaMemcpyFromArray, void *dst, cudaArray_const_t src, size_t x, size_t y,
             size_t bytes, enum cudaMemcpyKind kind)
CUDACPU_COPY(cudaMemcpy2DToArray, cudaArray_t dst, size_t x, size_t y, const void *src,
             size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind)
CUDACPU_COPY(cudaMemcpy2DFromArray, void *dst, size_t pitch, cudaArray_const_t src, size_t x,
             size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
CUDACPU_COPY(cudaMemcpy3D, const struct cudaMemcpy3DParms *copy)
CUDACPU_COPY(cudaMemset3D, struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
#undef CUDACPU_COPY
cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src, size_t x,
                         size_t y, size_t width, size_t height,
                         enum cudaMemcpyKind kind CUDACPU_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const void *view CUDACPU_DEFAULT(0));
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    struct cudaExtent e = {width, height, depth};
    return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos p = {x, y, z};
    return p;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                        size_t height) {
    struct cudaPitchedPtr p = {pointer, pitch, width, height};
    return p;
}
#endif
