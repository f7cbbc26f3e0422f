/* arrays.cpp - arrays are pitched device memory; copies to and from them are copies of rows.
 * Texture and surface objects are views of an array, or of the program's own device memory. */
#include "arrays.h"
#include "runtime/api/calls.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "thread_calls.h"
#include <algorithm>
#include <cstdint>
#include <set>

namespace cudacpu {

size_t element_bytes(const cudaChannelFormatDesc &desc) {
    return (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
}

namespace {

std::set<const cudaArray *> &arrays = *new std::set<const cudaArray *>();
std::set<const texture_view *> &views = *new std::set<const texture_view *>();

const size_t TEXTURE_ALIGNMENT = 256; /* bytes; cudaMalloc's */

bool is_array(const cudaArray *array) {
    runtime_guard guard;
    return arrays.count(array);
}

bool is_format(const cudaChannelFormatDesc &d) {
    const int bits[] = {d.x, d.y, d.z, d.w};
    int channels = 0;
    while (channels < 4 && bits[channels])
        channels++;
    for (int c = 0; c < 4; c++)
        if (bits[c] != (c < channels ? d.x : 0))
            return false;
    return channels > 0 && channels != 3 && (d.x == 8 || d.x == 16 || d.x == 32) &&
           (d.f == cudaChannelFormatKindFloat
                ? d.x == 32
                : d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned);
}

/* a b + c; SIZE_MAX, which no memory has, where that is more. */
size_t multiply_add(size_t a, size_t b, size_t c = 0) {
    size_t sum;
    return __builtin_mul_overflow(a, b, &sum) || __builtin_add_overflow(sum, c, &sum) ? SIZE_MAX
                                                                                      : sum;
}

/* The row y of slice z, from byte x on, of an array or of pitched memory. */
struct rows {
    char *first;
    size_t pitch, slice;
};
/* Where slice z begins; NULL: beyond all memory. */
char *slice_of(const rows &r, size_t z) {
    const size_t offset = multiply_add(z, r.slice, (size_t)r.first);
    return offset == SIZE_MAX ? nullptr : (char *)offset;
}
rows rows_of(const cudaArray *a, size_t x, size_t y, size_t z) {
    const size_t slice = a->pitch * std::max<size_t>(a->extent.height, 1);
    return {a->data + z * slice + y * a->pitch + x, a->pitch, slice};
}
rows rows_of(const cudaPitchedPtr &p, const cudaPos &at) {
    const size_t slice = multiply_add(p.pitch, p.ysize);
    const size_t row = multiply_add(at.y, p.pitch, at.x);
    const rows all = {(char *)multiply_add(row, 1, (size_t)p.ptr), p.pitch, slice};
    return {slice_of(all, at.z), p.pitch, slice};
}

/* Does width bytes x height rows x depth slices from there lie in the array? */
bool fits(const cudaArray *a, size_t x, size_t y, size_t z, size_t width, size_t height,
          size_t depth) {
    const size_t row = a->extent.width * element_bytes(a->desc);
    const size_t all_rows = std::max<size_t>(a->extent.height, 1),
                 all_slices = std::max<size_t>(a->extent.depth, 1);
    return x <= row && width <= row - x && y <= all_rows && height <= all_rows - y &&
           z <= all_slices && depth <= all_slices - z;
}

/* When a call copies: in a stream, or before it returns. */
struct moment {
    cudaStream_t stream;
    bool asynchronous;

    cudaError_t copy(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                     size_t height, cudaMemcpyKind kind) const {
        return asynchronous
                   ? cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, stream)
                   : cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, height, kind);
    }
};

/* So many bytes in a row from byte x of row y on go on in the next rows. */
cudaError_t copy_along(cudaArray_const_t array, size_t x, size_t y, char *other, size_t bytes,
                       cudaMemcpyKind kind, bool to_array, const moment &when = {nullptr, false}) {
    if (!is_array(array))
        return cudaErrorInvalidValue;
    const size_t row = array->extent.width * element_bytes(array->desc),
                 all_rows = std::max<size_t>(array->extent.height, 1);
    if (!fits(array, x, y, 0, 0, 0, 1) || bytes > (all_rows - y) * row - (y < all_rows ? x : 0))
        return cudaErrorInvalidValue;
    while (bytes) {
        const size_t part = std::min(bytes, row - std::min(x, row));
        if (!part || !fits(array, x, y, 0, part, 1, 1))
            return cudaErrorInvalidValue;
        char *const place = rows_of(array, x, y, 0).first;
        if (cudaError_t error = to_array ? when.copy(place, part, other, part, part, 1, kind)
                                         : when.copy(other, part, place, part, part, 1, kind))
            return error;
        other += part;
        bytes -= part;
        x = 0;
        y++;
    }
    return cudaSuccess;
}

cudaError_t copy_slices(const cudaMemcpy3DParms *c, const moment &when) {
    if (!c || (c->srcArray != nullptr) == (c->srcPtr.ptr != nullptr) ||
        (c->dstArray != nullptr) == (c->dstPtr.ptr != nullptr))
        return remember_error(cudaErrorInvalidValue);
    size_t unit = 1; /* bytes of what extent.width counts */
    for (const cudaArray *a : {c->srcArray, c->dstArray})
        if (a && !is_array(a))
            return remember_error(cudaErrorInvalidValue);
        else if (a)
            unit = element_bytes(a->desc);
    const size_t width = multiply_add(c->extent.width, unit), height = c->extent.height,
                 depth = c->extent.depth, s_x = multiply_add(c->srcPos.x, unit),
                 d_x = multiply_add(c->dstPos.x, unit);
    const cudaPos &s = c->srcPos, &d = c->dstPos;
    if ((c->srcArray && !fits(c->srcArray, s_x, s.y, s.z, width, height, depth)) ||
        (c->dstArray && !fits(c->dstArray, d_x, d.y, d.z, width, height, depth)))
        return remember_error(cudaErrorInvalidValue);
    const rows from = c->srcArray ? rows_of(c->srcArray, s_x, s.y, s.z) : rows_of(c->srcPtr, s),
               to = c->dstArray ? rows_of(c->dstArray, d_x, d.y, d.z) : rows_of(c->dstPtr, d);
    auto lies_in_memory = [&](size_t z) {
        return can_copy(slice_of(to, z), to.pitch, slice_of(from, z), from.pitch, width, height,
                        c->kind);
    };
    if (width && height && depth > 1 && lies_in_memory(0) && !lies_in_memory(depth - 1))
        return remember_error(cudaErrorInvalidValue);
    for (size_t z = 0; width && height && z < depth; z++)
        if (cudaError_t error = when.copy(slice_of(to, z), to.pitch, slice_of(from, z), from.pitch,
                                          width, height, c->kind))
            return error;
    return cudaSuccess;
}

cudaError_t fill_slices(const cudaPitchedPtr &p, int value, const cudaExtent &extent,
                        const moment &when) {
    const rows all = {(char *)p.ptr, p.pitch, multiply_add(p.pitch, p.ysize)};
    auto lies_in_memory = [&](size_t z) {
        return can_fill(slice_of(all, z), p.pitch, extent.width, extent.height);
    };
    const bool some = extent.width && extent.height;
    if (some && extent.depth > 1 && lies_in_memory(0) && !lies_in_memory(extent.depth - 1))
        return remember_error(cudaErrorInvalidValue);
    for (size_t z = 0; some && z < extent.depth; z++) {
        char *const slice = slice_of(all, z);
        if (cudaError_t error =
                when.asynchronous
                    ? cudaMemset2DAsync(slice, p.pitch, value, extent.width, extent.height,
                                        when.stream)
                    : cudaMemset2D(slice, p.pitch, value, extent.width, extent.height))
            return error;
    }
    return cudaSuccess;
}

/* Of cudaMalloc3DArray's shapes one that there is. */
bool is_shape(const cudaExtent &e, unsigned flags) {
    const bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
    if (flags & ~(unsigned)(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap))
        return false;
    if (cube && (e.width != e.height || (layered ? !e.depth || e.depth % 6 : e.depth != 6)))
        return false;
    return e.width && (layered ? e.depth != 0 : !e.depth || e.height);
}

cudaError_t make_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent,
                       unsigned flags) {
    if (sticky_error())
        return sticky_error();
    if (!array || !desc || !is_format(*desc) || !is_shape(extent, flags))
        return cudaErrorInvalidValue;
    cudaArray a = {nullptr, 0, extent, *desc, flags};
    void *data;
    const size_t width = multiply_add(extent.width, element_bytes(*desc)),
                 height = multiply_add(std::max<size_t>(extent.height, 1),
                                       std::max<size_t>(extent.depth, 1));
    if (width == SIZE_MAX || height == SIZE_MAX)
        return cudaErrorInvalidValue;
    if (cudaError_t error = cudaMallocPitch(&data, &a.pitch, width, height))
        return error;
    a.data = (char *)data;
    *array = new cudaArray(a);
    runtime_guard guard;
    arrays.insert(*array);
    return cudaSuccess;
}

std::array<long long, 3> sizes(const cudaExtent &e) {
    return {(long long)e.width, (long long)std::max<size_t>(e.height, 1),
            (long long)std::max<size_t>(e.depth, 1)};
}

cudaError_t view_resource(const cudaResourceDesc *resource, texture_view *v) {
    if (!resource)
        return cudaErrorInvalidValue;
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray *a = resource->res.array.array;
        if (!is_array(a))
            return cudaErrorInvalidValue;
        const bool layered = a->flags & cudaArrayLayered;
        const texture_kind kind = a->flags & cudaArrayCubemap
                                      ? layered ? texture_kind::layered_cube : texture_kind::cube
                                  : layered ? texture_kind::layers
                                            : texture_kind::array;
        *v = {a->data, a->pitch, 0, sizes(a->extent), kind, a->desc, {}};
    } else if (resource->resType == cudaResourceTypeLinear) {
        const auto &linear = resource->res.linear;
        if (!linear.devPtr || !is_format(linear.desc) || (size_t)linear.devPtr % TEXTURE_ALIGNMENT)
            return cudaErrorInvalidValue;
        const size_t width = linear.sizeInBytes / element_bytes(linear.desc);
        *v = {(const char *)linear.devPtr, 0,           0, sizes({width, 1, 1}),
              texture_kind::linear,        linear.desc, {}};
    } else if (resource->resType == cudaResourceTypePitch2D) {
        const auto &p = resource->res.pitch2D;
        if (!p.devPtr || !is_format(p.desc) || (size_t)p.devPtr % TEXTURE_ALIGNMENT ||
            p.pitchInBytes % 32 || !p.width || !p.height ||
            p.pitchInBytes < multiply_add(p.width, element_bytes(p.desc)) ||
            multiply_add(p.pitchInBytes, p.height) == SIZE_MAX)
            return cudaErrorInvalidValue;
        *v = {(const char *)p.devPtr, p.pitchInBytes, 0, sizes({p.width, p.height, 1}),
              texture_kind::array,    p.desc,         {}};
    } else {
        return cudaErrorInvalidValue;
    }
    v->slice = v->pitch * (size_t)v->size[1];
    return cudaSuccess;
}

cudaError_t keep_view(const texture_view &v, unsigned long long *object) {
    const texture_view *kept = new texture_view(v);
    runtime_guard guard;
    views.insert(kept);
    *object = (unsigned long long)(size_t)kept;
    return cudaSuccess;
}
cudaError_t forget_view(unsigned long long object) {
    runtime_guard guard;
    const texture_view *v = (const texture_view *)(size_t)object;
    if (!v)
        return cudaSuccess;
    if (!views.erase(v))
        return cudaErrorInvalidValue;
    delete v;
    return cudaSuccess;
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags) {
    return remember_error(make_array(array, desc, {width, height, 0}, flags));
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                              cudaExtent extent, unsigned flags) {
    return remember_error(make_array(array, desc, extent, flags));
}
cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent) {
    if (!p)
        return remember_error(cudaErrorInvalidValue);
    p->xsize = extent.width;
    p->ysize = extent.height;
    const size_t rows = multiply_add(extent.height, extent.depth);
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.width ? rows : 0);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    if (!array)
        return cudaSuccess;
    if (!is_array(array))
        return remember_error(cudaErrorInvalidValue);
    const cudaError_t error = cudaFree(array->data);
    runtime_guard guard;
    arrays.erase(array);
    delete array;
    return error;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
    return desc ? cudaArrayGetInfo(desc, nullptr, nullptr, const_cast<cudaArray_t>(array))
                : remember_error(cudaErrorInvalidValue);
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned *flags,
                             cudaArray_t array) {
    if (!is_array(array))
        return remember_error(cudaErrorInvalidValue);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              cudaMemcpyKind kind) {
    return remember_error(copy_along(dst, x, y, (char *)src, bytes, kind, true));
}
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    return remember_error(copy_along(src, x, y, (char *)dst, bytes, kind, false));
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    if (!is_array(dst) || !fits(dst, x, y, 0, width, height, 1))
        return remember_error(cudaErrorInvalidValue);
    return cudaMemcpy2D(rows_of(dst, x, y, 0).first, dst->pitch, src, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    if (!is_array(src) || !fits(src, x, y, 0, width, height, 1))
        return remember_error(cudaErrorInvalidValue);
    return cudaMemcpy2D(dst, pitch, rows_of(src, x, y, 0).first, src->pitch, width, height, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return remember_error(copy_along(dst, x, y, (char *)src, bytes, kind, true, {stream, true}));
}
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return remember_error(copy_along(src, x, y, (char *)dst, bytes, kind, false, {stream, true}));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    if (!is_array(dst) || !fits(dst, x, y, 0, width, height, 1))
        return remember_error(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(rows_of(dst, x, y, 0).first, dst->pitch, src, pitch, width, height,
                             kind, stream);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    if (!is_array(src) || !fits(src, x, y, 0, width, height, 1))
        return remember_error(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(dst, pitch, rows_of(src, x, y, 0).first, src->pitch, width, height,
                             kind, stream);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y,
                                     cudaArray_const_t src, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind) {
    if (!is_array(dst) || !fits(dst, to_x, to_y, 0, width, height, 1) || !is_array(src) ||
        !fits(src, x, y, 0, width, height, 1))
        return remember_error(cudaErrorInvalidValue);
    return cudaMemcpy2D(rows_of(dst, to_x, to_y, 0).first, dst->pitch, rows_of(src, x, y, 0).first,
                        src->pitch, width, height, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *c) { return copy_slices(c, {nullptr, false}); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *c, cudaStream_t stream) {
    return copy_slices(c, {stream, true});
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
    return fill_slices(p, value, extent, {nullptr, false});
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream) {
    return fill_slices(p, value, extent, {stream, true});
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *how, const void *view) {
    texture_view v = {};
    if (!texture || !how || view)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = view_resource(resource, &v))
        return remember_error(error);
    v.how = *how;
    const bool is_float =
        v.desc.f == cudaChannelFormatKindFloat || how->readMode == cudaReadModeNormalizedFloat;
    if ((how->filterMode == cudaFilterModeLinear && !is_float) || how->sRGB)
        return remember_error(cudaErrorInvalidValue);
    return keep_view(v, texture);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return remember_error(forget_view(texture));
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const cudaResourceDesc *resource) {
    texture_view v = {};
    if (!surface || !resource || resource->resType != cudaResourceTypeArray)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = view_resource(resource, &v))
        return remember_error(error);
    if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
        return remember_error(cudaErrorInvalidValue);
    return keep_view(v, surface);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return remember_error(forget_view(surface));
}

/* Stream 0 is that of the thread. */
OF_THREAD(cudaMemcpyToArrayAsync, 7)
OF_THREAD(cudaMemcpyFromArrayAsync, 7)
OF_THREAD(cudaMemcpy2DToArrayAsync, 9)
OF_THREAD(cudaMemcpy2DFromArrayAsync, 9)
OF_THREAD(cudaMemcpy3DAsync, 2)
OF_THREAD(cudaMemset3DAsync, 4)
WAIT_IN_THREAD(cudaMemcpyToArray, 6)
WAIT_IN_THREAD(cudaMemcpyFromArray, 6)
WAIT_IN_THREAD(cudaMemcpy2DToArray, 8)
WAIT_IN_THREAD(cudaMemcpy2DFromArray, 8)
WAIT_IN_THREAD(cudaMemcpy2DArrayToArray, 9)
WAIT_IN_THREAD(cudaMemcpy3D, 1)
WAIT_IN_THREAD(cudaMemset3D, 3)

} /* extern "C" */
