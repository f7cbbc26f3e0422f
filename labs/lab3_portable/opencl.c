/* opencl.c - the host's side of student.cl: finds a device, builds the kernel, copies, runs it */
#include "opencl.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 16, MOST_SOURCE = 65536, MOST_LOG = 8192 };

/* Ends the function with 1 and a sentence when a call fails. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cl_int check_error = (call);                                                               \
        if (check_error != CL_SUCCESS) {                                                           \
            fprintf(stderr, "OpenCL: %.60s failed, error %d\n", #call, check_error);               \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int built_for; /* the tile of program; 0: there is none yet */

static int find_device(void) {
    const char *wanted = getenv("OPENCL_DEVICE");
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0; /* without any platform, this is an error */
    for (cl_uint i = 0; i < platform_count && i < MOST_PLATFORMS; i++) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) !=
            CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < count && j < MOST_DEVICES; j++) {
            char name[256] = "";
            CHECK(clGetDeviceInfo(devices[j], CL_DEVICE_NAME, sizeof name, name, NULL));
            if (wanted == NULL || strstr(name, wanted) != NULL) {
                device = devices[j];
                return 0;
            }
        }
    }
    if (platform_count == 0)
        fprintf(stderr, "OpenCL finds no device; in Debian this one runs on the CPU: apt-get "
                        "install pocl-opencl-icd\n");
    else
        fprintf(stderr, "OpenCL finds no device%s%s\n", wanted ? " that is called " : "",
                wanted ? wanted : "");
    return 1;
}

static int build(const char *source, int tile) {
    static char text[MOST_SOURCE];
    FILE *file = fopen(source, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", source);
        return 1;
    }
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    if (length == sizeof text) {
        fprintf(stderr, "%s: it has more than %d bytes\n", source, MOST_SOURCE - 1);
        return 1;
    }
    char line[256]; /* so that the compiler's messages name the file */
    snprintf(line, sizeof line, "#line 1 \"%s\"\n", source);
    /* Some editors write a mark of UTF-8 before the first line. */
    const size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const char *parts[] = {line, text + mark};
    const size_t lengths[] = {strlen(line), length - mark};
    cl_int error;
    if (built_for != 0)
        clReleaseProgram(program);
    built_for = 0;
    program = clCreateProgramWithSource(context, 2, parts, lengths, &error);
    CHECK(error);
    char options[64]; /* a test needs no fast kernel, and this one compiles in half the time */
    snprintf(options, sizeof options, "-DTS=%d -cl-opt-disable", tile);
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[MOST_LOG];
        if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                  NULL) == CL_SUCCESS)
            fprintf(stderr, "%s\n", log);
        const char *first = strstr(log, "error: ");
        fprintf(stderr, "%s: does not compile with %s: %.*s\n", source, options,
                first ? (int)strcspn(first, "\n") : 0, first ? first : "");
        clReleaseProgram(program);
        return 1;
    }
    built_for = tile;
    return 0;
}

int opencl_multiply(const char *source, const int *a, const int *b, int *c, int m, int p, int n,
                    int tile) {
    cl_int error;
    if (device == NULL) {
        if (find_device() != 0)
            return 1;
        context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
        CHECK(error);
        queue = clCreateCommandQueue(context, device, 0, &error);
        CHECK(error);
    }
    if (built_for != tile && build(source, tile) != 0)
        return 1;
    cl_kernel kernel = clCreateKernel(program, "matmult", &error);
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: it has no kernel matmult (OpenCL error %d)\n", source, error);
        return 1;
    }

    size_t bytes_c = sizeof(int) * m * n;
    cl_mem device_a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     sizeof(int) * m * p, (void *)a, &error);
    CHECK(error);
    cl_mem device_b = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     sizeof(int) * p * n, (void *)b, &error);
    CHECK(error);
    /* With what C has now: an element that the kernel does not write keeps it. */
    cl_mem device_c =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes_c, c, &error);
    CHECK(error);
    CHECK(clSetKernelArg(kernel, 0, sizeof device_a, &device_a));
    CHECK(clSetKernelArg(kernel, 1, sizeof device_b, &device_b));
    CHECK(clSetKernelArg(kernel, 2, sizeof device_c, &device_c));
    CHECK(clSetKernelArg(kernel, 3, sizeof m, &m));
    CHECK(clSetKernelArg(kernel, 4, sizeof p, &p));
    CHECK(clSetKernelArg(kernel, 5, sizeof n, &n));

    /* Where CUDA counts blocks, OpenCL counts all work-items: a multiple of the group's. */
    size_t local[2] = {(size_t)tile, (size_t)tile};
    size_t global[2] = {(size_t)(n + tile - 1) / tile * tile, (size_t)(m + tile - 1) / tile * tile};
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, device_c, CL_TRUE, 0, bytes_c, c, 0, NULL, NULL));
    clReleaseMemObject(device_a);
    clReleaseMemObject(device_b);
    clReleaseMemObject(device_c);
    clReleaseKernel(kernel);
    return 0;
}
