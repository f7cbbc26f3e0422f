/* device.c - finds a usable device. */
#include "device.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int not_found(device_info *info, const char *what, cudaError_t error) {
    snprintf(info->why, sizeof info->why, "%s: %s", what, cudaGetErrorString(error));
    return 0;
}

int find_device(device_info *info) {
    memset(info, 0, sizeof *info);
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        return not_found(info, "no CUDA device can be used", error);
    if (count == 0) {
        snprintf(info->why, sizeof info->why, "there is no CUDA device in this machine");
        return 0;
    }
    struct cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess)
        return not_found(info, "CUDA device 0 does not tell its properties", error);
    /* A call that does nothing but create the context. */
    error = cudaFree(0);
    if (error != cudaSuccess)
        return not_found(info, "CUDA device 0 cannot be started", error);
    error = cudaMemGetInfo(&info->free_bytes, &info->total_bytes);
    if (error != cudaSuccess)
        return not_found(info, "CUDA device 0 does not tell its memory", error);
    snprintf(info->name, sizeof info->name, "%s", properties.name);
    info->major = properties.major;
    info->minor = properties.minor;
    return 1;
}

int runs_target(const device_info *info, const char *target) {
    if (!target)
        return 1;
    char *end;
    const long asked = strtol(target + strlen("sm_"), &end, 10),
               here = info->major * 10 + info->minor;
    return *end == 'a' ? here == asked : here >= asked;
}
