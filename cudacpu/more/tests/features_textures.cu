/* features_textures.cu - arrays, textures, surfaces: what the programming guide's "Texture
 * Fetching" and the runtime's reference say. */
#include "device_words.h"
#include <math.h>

enum { WIDTH = 5, HEIGHT = 3 };
static float as_float(int word) {
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static __global__ void fetch_2d(cudaTextureObject_t t, const float *x, const float *y, int n,
                                int *p) {
    if ((int)threadIdx.x < n)
        p[threadIdx.x] = __float_as_int(tex2D<float>(t, x[threadIdx.x], y[threadIdx.x]));
}

/* Element (column, row) is 10 row + column. */
static float element_at(int column, int row) { return (float)(10 * row + column); }
static int inside(int i, int size, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeWrap)
        return (i % size + size) % size;
    if (mode == cudaAddressModeMirror) {
        const int at = (i % (2 * size) + 2 * size) % (2 * size);
        return at < size ? at : 2 * size - 1 - at;
    }
    return i < 0       ? mode == cudaAddressModeBorder ? -1 : 0
           : i >= size ? mode == cudaAddressModeBorder ? -1 : size - 1
                       : i;
}
static float stored(int column, int row, cudaTextureAddressMode mode) {
    const int x = inside(column, WIDTH, mode), y = inside(row, HEIGHT, mode);
    return x < 0 || y < 0 ? 0.0f : element_at(x, y);
}

static const char *try_2d(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                          bool normalized) {
    enum { POINTS = 96 };
    float data[HEIGHT][WIDTH], x[POINTS], y[POINTS], *device_x, *device_y;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++)
            data[row][column] = element_at(column, row);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &desc, WIDTH, HEIGHT));
    OK(cudaMemcpy2DToArray(array, 0, 0, data, WIDTH * sizeof(float), WIDTH * sizeof(float), HEIGHT,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = mode;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = normalized;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    /* Off the elements' edges and centres by an eighth, so that no rounding decides. */
    for (int i = 0; i < POINTS; i++) {
        x[i] = (float)(i * 7 % 97 - 30) / 8 + 1.0f / 16;
        y[i] = (float)(i * 11 % 61 - 20) / 8 + 1.0f / 16;
    }
    float given_x[POINTS], given_y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        given_x[i] = normalized ? x[i] / WIDTH : x[i];
        given_y[i] = normalized ? y[i] / HEIGHT : y[i];
    }
    START();
    OK(cudaMalloc(&device_x, sizeof x));
    OK(cudaMalloc(&device_y, sizeof y));
    OK(cudaMemcpy(device_x, given_x, sizeof x, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(device_y, given_y, sizeof y, cudaMemcpyHostToDevice));
    fetch_2d<<<1, POINTS>>>(texture, device_x, device_y, POINTS, device_words);
    FINISH();
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));
    OK(cudaFree(device_x));
    OK(cudaFree(device_y));
    for (int i = 0; i < POINTS; i++) {
        float expected, tolerance = 0;
        if (filter == cudaFilterModePoint) {
            expected = stored((int)floorf(x[i]), (int)floorf(y[i]), mode);
        } else {
            const int left = (int)floorf(x[i] - 0.5f), top = (int)floorf(y[i] - 0.5f);
            const float a = x[i] - 0.5f - (float)left, b = y[i] - 0.5f - (float)top;
            expected = (1 - a) * (1 - b) * stored(left, top, mode) +
                       a * (1 - b) * stored(left + 1, top, mode) +
                       (1 - a) * b * stored(left, top + 1, mode) +
                       a * b * stored(left + 1, top + 1, mode);
            tolerance = 24 * 2.0f / 256; /* weights have 8 bits: one step of both, of the largest */
        }
        EXPECT(fabsf(as_float(words[i]) - expected) <= tolerance);
    }
    return NULL;
}
/* Header: cuda_runtime.h; covers: arrays, textures of two dimensions: addressing, filtering,
 * normalized coordinates; not: mipmaps, gradients, texture references. */
static const char *test_2d() {
    static const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeBorder,
                                                   cudaAddressModeWrap, cudaAddressModeMirror};
    for (int i = 0; i < 4; i++)
        for (int linear = 0; linear < 2; linear++)
            for (int normalized = i >= 2; normalized < 2; normalized++)
                if (const char *problem = try_2d(
                        modes[i], linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized))
                    return problem;
    return NULL;
}

static __global__ void fetch_linear(cudaTextureObject_t t, int n, int *p) {
    const int i = (int)threadIdx.x - 2;
    const int2 v = tex1Dfetch<int2>(t, i);
    p[threadIdx.x] = i >= 0 && i < n ? v.x * 1000 + v.y : v.x + v.y;
}
/* Header: cuda_runtime.h; covers: textures of linear memory. */
static const char *test_linear() {
    enum { COUNT = 20 };
    int2 data[COUNT], *device;
    for (int i = 0; i < COUNT; i++)
        data[i] = make_int2(i, 100 + i);
    OK(cudaMalloc(&device, sizeof data));
    OK(cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device;
    resource.res.linear.desc = cudaCreateChannelDesc<int2>();
    resource.res.linear.sizeInBytes = sizeof data;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    START();
    fetch_linear<<<1, COUNT + 4>>>(texture, COUNT, device_words);
    FINISH();
    for (int i = 0; i < COUNT + 4; i++)
        EXPECT(words[i] == (i < 2 || i >= COUNT + 2 ? 0 : (i - 2) * 1000 + 100 + i - 2));
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFree(device));
    return NULL;
}

static __global__ void fetch_bytes(cudaTextureObject_t t, int *p) {
    const float4 v = tex2D<float4>(t, (float)threadIdx.x + 0.5f, (float)threadIdx.y + 0.5f);
    int *r = p + 4 * (threadIdx.y * 4 + threadIdx.x);
    r[0] = __float_as_int(v.x), r[1] = __float_as_int(v.y);
    r[2] = __float_as_int(v.z), r[3] = __float_as_int(v.w);
}
/* Header: cuda_runtime.h; covers: textures of pitched memory, bytes as numbers. */
static const char *test_normalized_bytes() {
    uchar4 data[2][4], *device;
    size_t pitch;
    for (int i = 0; i < 8; i++)
        data[i / 4][i % 4] = make_uchar4((unsigned char)i, (unsigned char)(255 - i), 0, 255);
    OK(cudaMallocPitch(&device, &pitch, sizeof data[0], 2));
    OK(cudaMemcpy2D(device, pitch, data, sizeof data[0], sizeof data[0], 2,
                    cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = device;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    START();
    fetch_bytes<<<1, dim3(4, 2)>>>(texture, device_words);
    FINISH();
    for (int i = 0; i < 8; i++) {
        EXPECT(fabsf(as_float(words[4 * i]) - (float)i / 255) <= 1e-7f);
        EXPECT(fabsf(as_float(words[4 * i + 1]) - (float)(255 - i) / 255) <= 1e-7f);
        EXPECT(as_float(words[4 * i + 2]) == 0 && as_float(words[4 * i + 3]) == 1);
    }
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFree(device));
    return NULL;
}

static __global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    int v = 0;
    surf2Dread(&v, from, x * 4, y);
    v += surf2Dread<int>(from, 4000, y, cudaBoundaryModeZero);
    surf2Dwrite(v + 1, to, y * 4, x);
}
static __global__ void fetch_slices(cudaTextureObject_t t, int *p) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z;
    p[(z * 3 + y) * 4 + x] = tex3D<int>(t, (float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f);
}
/* Header: cuda_runtime.h; covers: surfaces of two dimensions. */
static const char *test_surfaces() {
    enum { COLUMNS = 6, ROWS = 4 };
    int data[ROWS * COLUMNS], result[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        data[i] = i * i;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    cudaArray_t from, to;
    OK(cudaMallocArray(&from, &desc, COLUMNS, ROWS, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&to, &desc, ROWS, COLUMNS, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(from, 0, 0, data, COLUMNS * 4, COLUMNS * 4, ROWS,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t read, write;
    resource.res.array.array = from;
    OK(cudaCreateSurfaceObject(&read, &resource));
    resource.res.array.array = to;
    OK(cudaCreateSurfaceObject(&write, &resource));
    transpose<<<1, dim3(COLUMNS, ROWS)>>>(read, write);
    OK(cudaGetLastError());
    OK(cudaMemcpy2DFromArray(result, ROWS * 4, to, 0, 0, ROWS * 4, COLUMNS,
                             cudaMemcpyDeviceToHost));
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            EXPECT(result[x * ROWS + y] == data[y * COLUMNS + x] + 1);
    OK(cudaDestroySurfaceObject(read));
    OK(cudaDestroySurfaceObject(write));
    OK(cudaFreeArray(from));
    OK(cudaFreeArray(to));
    return NULL;
}
/* Header: cuda_runtime.h; covers: textures of three dimensions. */
static const char *test_slices() {
    int data[2][3][4];
    for (int i = 0; i < 24; i++)
        data[i / 12][i / 4 % 3][i % 4] = 5 * i;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    OK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(4, 3, 2)));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(data, 16, 4, 3);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    for (int axis = 0; axis < 3; axis++)
        how.addressMode[axis] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    START();
    fetch_slices<<<1, dim3(4, 3, 2)>>>(texture, device_words);
    FINISH();
    for (int i = 0; i < 24; i++)
        EXPECT(words[i] == 5 * i);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));
    return NULL;
}

static __global__ void fill_surfaces(cudaSurfaceObject_t row, cudaSurfaceObject_t cube) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z;
    surf3Dwrite(100 * z + 10 * y + x, cube, 4 * x, y, z);
    if (y == 0 && z == 0)
        surf1Dwrite(7 * x, row, 4 * x);
}
static __global__ void fetch_row(cudaTextureObject_t row, cudaSurfaceObject_t cube, int *p) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z;
    p[(z * 3 + y) * 4 + x] =
        tex1D<int>(row, (float)x + 0.5f) + surf3Dread<int>(cube, 4 * (3 - x), y, z);
}
/* Header: cuda_runtime.h; covers: textures of one dimension, surfaces of one and three. */
static const char *test_other_dimensions() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t row, cube;
    OK(cudaMallocArray(&row, &desc, 4, 0, cudaArraySurfaceLoadStore));
    OK(cudaMalloc3DArray(&cube, &desc, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    cudaSurfaceObject_t row_surface, cube_surface;
    cudaTextureObject_t texture;
    resource.res.array.array = cube;
    OK(cudaCreateSurfaceObject(&cube_surface, &resource));
    resource.res.array.array = row;
    OK(cudaCreateSurfaceObject(&row_surface, &resource));
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    START();
    fill_surfaces<<<1, dim3(4, 3, 2)>>>(row_surface, cube_surface);
    fetch_row<<<1, dim3(4, 3, 2)>>>(texture, cube_surface, device_words);
    FINISH();
    for (int i = 0; i < 24; i++)
        EXPECT(words[i] == 7 * (i % 4) + 100 * (i / 12) + 10 * (i / 4 % 3) + 3 - i % 4);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaDestroySurfaceObject(row_surface));
    OK(cudaDestroySurfaceObject(cube_surface));
    OK(cudaFreeArray(row));
    OK(cudaFreeArray(cube));
    return NULL;
}

/* Of an array of float of this shape, its elements in order, with a texture of it. */
static const char *make_texture(cudaTextureObject_t *texture, cudaArray_t *array, float *data,
                                cudaExtent extent, unsigned flags, cudaTextureFilterMode filter) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(array, &desc, extent, flags));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.extent = extent;
    copy.extent.height += extent.height == 0;
    copy.srcPtr =
        make_cudaPitchedPtr(data, extent.width * sizeof(float), extent.width, copy.extent.height);
    copy.dstArray = *array;
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    for (int axis = 0; axis < 3; axis++)
        how.addressMode[axis] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.normalizedCoords = 1;
    OK(cudaCreateTextureObject(texture, &resource, &how, NULL));
    return NULL;
}

static __global__ void fetch_layers(cudaTextureObject_t rows, cudaTextureObject_t squares, int *p) {
    const int x = (int)threadIdx.x, layer = (int)threadIdx.y - 1;
    int *r = p + 3 * (threadIdx.y * 4 + x);
    float v;
    tex1DLayered(&v, rows, ((float)x + 0.5f) / 4, layer);
    r[0] = __float_as_int(v);
    r[1] = __float_as_int(tex2DLayered<float>(squares, ((float)x + 0.5f) / 4, 0.25f, layer));
    /* Between two columns and two rows, of one layer. */
    r[2] = __float_as_int(tex2DLayered<float>(squares, (float)(x + 1) / 4, 0.5f, layer));
}
static __global__ void raise_layers(cudaSurfaceObject_t s) {
    const int x = 4 * (int)threadIdx.x, y = (int)threadIdx.y, layer = (int)threadIdx.z;
    surf2DLayeredwrite(surf2DLayeredread<float>(s, x, y, layer) + 1, s, x, y, layer);
}
/* Header: cuda_runtime.h; covers: layered textures and surfaces. */
static const char *test_layers() {
    enum { LAYERS = 3 };
    float row_data[LAYERS * 4], data[LAYERS * 2 * 4];
    for (int i = 0; i < LAYERS * 4; i++)
        row_data[i] = (float)(i * i);
    for (int i = 0; i < LAYERS * 8; i++)
        data[i] = (float)(1000 * (i / 8) + 100 * (i / 4 % 2) + 10 * (i % 4));
    cudaTextureObject_t rows, squares;
    cudaArray_t row_array, array;
    if (const char *problem =
            make_texture(&rows, &row_array, row_data, make_cudaExtent(4, 0, LAYERS),
                         cudaArrayLayered, cudaFilterModePoint))
        return problem;
    if (const char *problem =
            make_texture(&squares, &array, data, make_cudaExtent(4, 2, LAYERS),
                         cudaArrayLayered | cudaArraySurfaceLoadStore, cudaFilterModeLinear))
        return problem;
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    OK(cudaCreateSurfaceObject(&surface, &resource));
    raise_layers<<<1, dim3(4, 2, LAYERS)>>>(surface);
    START();
    fetch_layers<<<1, dim3(4, LAYERS + 2)>>>(rows, squares,
                                             device_words); /* one too low, too high */
    FINISH();
    for (int i = 0; i < (LAYERS + 2) * 4; i++) {
        const int x = i % 4, row = i / 4 - 1;
        const int layer = row < 0 || row >= LAYERS ? LAYERS - 1 : row; /* -1 as unsigned */
        EXPECT(as_float(words[3 * i]) == row_data[layer * 4 + x]);
        EXPECT(as_float(words[3 * i + 1]) == data[layer * 8 + x] + 1);
        EXPECT(as_float(words[3 * i + 2]) ==
               (float)(1000 * layer + 50 + (x < 3 ? 10 * x + 5 : 30) + 1));
    }
    OK(cudaDestroySurfaceObject(surface));
    OK(cudaDestroyTextureObject(rows));
    OK(cudaDestroyTextureObject(squares));
    OK(cudaFreeArray(row_array));
    OK(cudaFreeArray(array));
    return NULL;
}

/* The direction of a point (s, t) of a face, of [-1, 1] each; the guide's table read backwards. */
static __host__ __device__ void point_at(int face, float s, float t, float *d) {
    const float all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                             {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
    for (int axis = 0; axis < 3; axis++)
        d[axis] = 3 * all[face][axis]; /* its length does not matter */
}
static __global__ void fetch_faces(cudaTextureObject_t cube, cudaTextureObject_t cubes, int *p) {
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, face = (int)threadIdx.z;
    float d[3];
    point_at(face, (float)(2 * x - 1) / 2, (float)(2 * y - 1) / 2, d);
    int *r = p + 2 * ((face * 2 + y) * 2 + x);
    r[0] = (int)texCubemap<float>(cube, d[0], d[1], d[2]);
    r[1] = (int)texCubemapLayered<float>(cubes, d[0], d[1], d[2], 1);
}
/* Header: cuda_runtime.h; covers: cubemaps; not: seamless ones, levels of them. */
static const char *test_cubes() {
    float data[2 * 6 * 4];
    for (int i = 0; i < 48; i++)
        data[i] = (float)(7 * i);
    cudaTextureObject_t cube, cubes;
    cudaArray_t array, arrays;
    if (const char *problem = make_texture(&cube, &array, data, make_cudaExtent(2, 2, 6),
                                           cudaArrayCubemap, cudaFilterModeLinear))
        return problem;
    if (const char *problem =
            make_texture(&cubes, &arrays, data, make_cudaExtent(2, 2, 12),
                         cudaArrayCubemap | cudaArrayLayered, cudaFilterModePoint))
        return problem;
    START();
    fetch_faces<<<1, dim3(2, 2, 6)>>>(cube, cubes, device_words);
    FINISH();
    for (int i = 0; i < 24; i++)
        EXPECT(words[2 * i] == 7 * i && words[2 * i + 1] == 7 * (i + 24));
    OK(cudaDestroyTextureObject(cube));
    OK(cudaDestroyTextureObject(cubes));
    OK(cudaFreeArray(array));
    OK(cudaFreeArray(arrays));
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    EXPECT_CODE(cudaMalloc3DArray(&array, &desc, make_cudaExtent(2, 3, 6), cudaArrayCubemap),
                cudaErrorInvalidValue);
    EXPECT_CODE(cudaMalloc3DArray(&array, &desc, make_cudaExtent(2, 2, 5), cudaArrayCubemap),
                cudaErrorInvalidValue);
    return NULL;
}

static const char *test_array_codes() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
    EXPECT(desc.x == 32 && desc.w == 32 && desc.f == cudaChannelFormatKindFloat);
    cudaArray_t array;
    char host[64];
    OK(cudaMallocArray(&array, &desc, 2, 2));
    EXPECT_CODE(cudaMemcpy2DToArray(array, 0, 0, host, 48, 48, 1, cudaMemcpyHostToDevice),
                cudaErrorInvalidValue);
    OK(cudaFreeArray(array));
    OK(cudaFreeArray(NULL));
    OK(cudaDestroyTextureObject(0));
    return NULL;
}

extern "C" const conformance_case texture_features[] = {
    {"textures of two dimensions", test_2d},
    {"textures of linear memory", test_linear},
    {"bytes as numbers", test_normalized_bytes},
    {"surfaces", test_surfaces},
    {"textures of three dimensions", test_slices},
    {"other dimensions", test_other_dimensions},
    {"layers", test_layers},
    {"cubes", test_cubes},
    {"codes of arrays", test_array_codes},
    {NULL, NULL}};
