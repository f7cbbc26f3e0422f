/* textures.cpp - what a kernel reads through a texture object, as "Texture Fetching" in the
 * programming guide says: coordinates, addressing, filtering with weights of 8 bits; and as
 * "Layered Textures" and "Cubemap Textures" do. */
#include "arrays.h"
#include "cudacpu/barrier.h"
#include "cudacpu/texture.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include <cmath>
#include <cstring>

namespace cudacpu {
namespace {

enum { OUTSIDE = -1 };

/* The index that stands for i along an axis; OUTSIDE: the border's colour. */
long long place(long long i, long long size, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeWrap)
        return (i % size + size) % size;
    if (mode == cudaAddressModeMirror) {
        const long long at = (i % (2 * size) + 2 * size) % (2 * size);
        return at < size ? at : 2 * size - 1 - at;
    }
    if (mode == cudaAddressModeBorder && (i < 0 || i >= size))
        return OUTSIDE;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

bool is_normalized(const texture_view &v) {
    return v.how.readMode == cudaReadModeNormalizedFloat && v.desc.f != cudaChannelFormatKindFloat;
}

/* The element as it is stored; normalized: integers as numbers of [0, 1] or [-1, 1]. */
texel read_element(const texture_view &v, const long long at[3], void *caller) {
    texel t = {};
    if (at[0] == OUTSIDE || at[1] == OUTSIDE || at[2] == OUTSIDE) {
        std::memcpy(t.number, v.how.borderColor, sizeof t.number);
        return t;
    }
    const unsigned bytes = (unsigned)v.desc.x / 8, all = (unsigned)element_bytes(v.desc);
    const char *p =
        v.data + (size_t)at[2] * v.slice + (size_t)at[1] * v.pitch + (size_t)at[0] * all;
    tell(&observer::accessed, p, all, false, caller);
    const bool has_sign = v.desc.f == cudaChannelFormatKindSigned;
    for (unsigned c = 0; c * bytes < all; c++) {
        uint32_t bits = 0;
        std::memcpy(&bits, p + c * bytes, bytes);
        if (v.desc.f == cudaChannelFormatKindFloat) {
            std::memcpy(&t.number[c], &bits, 4);
            continue;
        }
        const unsigned unused = 32 - 8 * bytes;
        t.integer[c] =
            has_sign ? (long long)((int32_t)(bits << unused) >> unused) : (long long)bits;
        if (is_normalized(v)) {
            const double most = std::ldexp(1.0, (int)(8 * bytes) - has_sign) - 1;
            t.number[c] = (float)std::fmax((double)t.integer[c] / most, -1.0);
        }
    }
    return t;
}

/* Between the 2, 4 or 8 elements around the point, of one layer. */
texel filter(const texture_view &v, int dimensions, const float point[3], long long layer,
             const cudaTextureAddressMode *modes, void *caller) {
    long long first[3] = {0, 0, 0};
    float weight[3] = {0, 0, 0};
    for (int axis = 0; axis < dimensions; axis++) {
        const float from = point[axis] - 0.5f, below = std::floor(from);
        first[axis] = (long long)below;
        weight[axis] = std::floor((from - below) * 256 + 0.5f) / 256;
    }
    texel sum = {};
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        long long at[3] = {0, 0, layer};
        float part = 1;
        for (int axis = 0; axis < dimensions; axis++) {
            const bool upper = corner >> axis & 1;
            at[axis] = place(first[axis] + upper, v.size[axis], modes[axis]);
            part *= upper ? weight[axis] : 1 - weight[axis];
        }
        if (part == 0)
            continue; /* not read: it may lie outside */
        const texel t = read_element(v, at, caller);
        for (int c = 0; c < 4; c++)
            sum.number[c] += part * t.number[c];
    }
    return sum;
}

void check_type(const texture_view &v, bool is_float, unsigned bytes, const site *where) {
    const bool gives_float = v.desc.f == cudaChannelFormatKindFloat || is_normalized(v);
    if (gives_float != is_float || (!is_normalized(v) && 8 * (int)bytes != v.desc.x))
        fail_thread("wrong type", where, "a texture fetch of ", 8 * bytes, "-bit ",
                    is_float ? "float" : "integers", " from a texture whose channels are ",
                    v.desc.x, "-bit ",
                    v.desc.f == cudaChannelFormatKindFloat ? "float"
                    : is_normalized(v)                     ? "integers, read as float"
                                                           : "integers");
}

void check_kind(const texture_view &v, texture_kind wanted, const site *where) {
    static const char *const names[] = {"linear memory", "an array", "a layered array", "a cubemap",
                                        "a layered cubemap"};
    if (v.kind != wanted)
        fail_thread("wrong texture", where, "a function that reads ", names[(int)wanted],
                    " was given a texture of ", names[(int)v.kind]);
}

/* A direction's place on the face that it meets, of [0, 1] along both axes; returns the face. */
int find_face(float x, float y, float z, float *s, float *t) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    int face;
    float most;
    if (ax >= ay && ax >= az) {
        face = x < 0 ? 1 : 0, most = ax;
        *s = x < 0 ? z : -z, *t = -y;
    } else if (ay >= az) {
        face = y < 0 ? 3 : 2, most = ay;
        *s = x, *t = y < 0 ? -z : z;
    } else {
        face = z < 0 ? 5 : 4, most = az;
        *s = z < 0 ? -x : x, *t = -y;
    }
    *s = (*s / most + 1) / 2;
    *t = (*t / most + 1) / 2;
    return face;
}

} // namespace

texel fetch_texel(cudaTextureObject_t texture, const texture_point &p, bool is_float,
                  unsigned bytes, const site *where) {
    find_fiber(where);
    if (!texture)
        fail_thread("wrong texture", where, "a texture fetch from texture object 0");
    const texture_view &v = *(const texture_view *)(size_t)texture;
    check_type(v, is_float, bytes, where);
    check_kind(v, p.kind, where);
    if (p.kind == texture_kind::linear) {
        const bool inside = p.index >= 0 && p.index < v.size[0];
        const long long at[3] = {inside ? p.index : (long long)OUTSIDE, 0, 0};
        return inside ? read_element(v, at, PROGRAM_CALLER) : texel();
    }
    float point[3] = {p.x, p.y, p.z};
    long long layer = 0; /* none beyond the last; PTX takes the index as unsigned: -1 is the last */
    const bool is_cube = p.kind == texture_kind::cube || p.kind == texture_kind::layered_cube;
    if (p.kind == texture_kind::layers || p.kind == texture_kind::layered_cube)
        layer = place((unsigned)p.index, v.size[2] / (is_cube ? 6 : 1), cudaAddressModeClamp);
    if (is_cube)
        layer = 6 * layer + find_face(p.x, p.y, p.z, &point[0], &point[1]);
    cudaTextureAddressMode modes[3];
    long long at[3] = {0, 0, layer};
    for (int axis = 0; axis < p.dimensions; axis++) {
        modes[axis] = v.how.addressMode[axis];
        if (v.how.normalizedCoords || is_cube)
            point[axis] *= (float)v.size[axis];
        else if (modes[axis] != cudaAddressModeBorder) /* the others want normalized coordinates */
            modes[axis] = cudaAddressModeClamp;
        if (!(point[axis] > -1e9f && point[axis] < 1e9f))
            point[axis] = point[axis] > 0 ? 1e9f : -1e9f;
        at[axis] = place((long long)std::floor(point[axis]), v.size[axis], modes[axis]);
    }
    if (v.how.filterMode == cudaFilterModeLinear)
        return filter(v, p.dimensions, point, layer, modes, PROGRAM_CALLER);
    return read_element(v, at, PROGRAM_CALLER);
}

void *find_in_surface(cudaSurfaceObject_t surface, int x, int y, int z, unsigned bytes,
                      cudaSurfaceBoundaryMode mode, const site *where) {
    find_fiber(where);
    if (!surface)
        fail_thread("wrong surface", where, "an access to surface object 0");
    const texture_view &v = *(const texture_view *)(size_t)surface;
    const long long all = (long long)element_bytes(v.desc), width = v.size[0] * all;
    if (bytes != all || x % (int)bytes)
        fail_thread("wrong surface", where, "an access of ", bytes, " bytes at byte ", x,
                    " to a surface of elements of ", all, " bytes");
    long long at[3] = {x, y, z};
    const long long most[3] = {width - all, v.size[1] - 1, v.size[2] - 1};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] >= 0 && at[axis] <= most[axis])
            continue;
        if (mode == cudaBoundaryModeZero)
            return nullptr;
        if (mode == cudaBoundaryModeTrap)
            fail_thread("out of bounds", where, "an access to byte ", x, ", row ", y, ", slice ", z,
                        " outside its surface");
        at[axis] = at[axis] < 0 ? 0 : most[axis];
    }
    return (void *)(v.data + (size_t)at[2] * v.slice + (size_t)at[1] * v.pitch + (size_t)at[0]);
}

} // namespace cudacpu
