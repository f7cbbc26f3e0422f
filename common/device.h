/* device.h - looks for a usable device, in the place of the article's InitCUDA. */
#ifndef DEVICE_H
#define DEVICE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct device_info {
    const char *backend; /* "gpu" or "cpu" */
    char name[256];      /* as the runtime gives it */
    int major, minor;    /* compute capability */
    size_t total_bytes;  /* device memory */
    size_t free_bytes;
    char why[256]; /* when there is none: one sentence that says why */
} device_info;

/* Fills info and makes the device ready (its context exists afterwards, so that it is not timed).
 * Returns 1, or 0 with the reason in info->why. */
int find_device(device_info *info);

/* Bytes of host memory that can be had now: the least of what the system, the control group and the
 * process's own limit leave. 0 when it cannot be told. */
size_t host_free_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
