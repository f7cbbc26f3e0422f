/* device.h - looks for a usable device, in the place of the article's InitCUDA. */
#ifndef DEVICE_H
#define DEVICE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What this program was built for, "gpu" or "cpu", and why where nobody asked for it ("" where
 * somebody did). make writes them. */
extern const char *const backend_name, *const backend_reason;

typedef struct device_info {
    char name[256];     /* as the runtime gives it */
    int major, minor;   /* compute capability */
    size_t total_bytes; /* device memory */
    size_t free_bytes;
    char why[256]; /* when there is none: one sentence that says why */
} device_info;

/* Fills info and makes the device ready (its context exists afterwards, so that it is not timed).
 * Returns 1, or 0 with the reason in info->why. */
int find_device(device_info *info);

#ifdef __cplusplus
}
#endif
#endif
