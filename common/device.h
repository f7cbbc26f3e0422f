/* device.h - finds a usable device, and says how much memory there is. */
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
    char why[256]; /* why there is none: one sentence */
} device_info;

/* Fills info and creates the device's context, so that this is not timed. Returns 1, or 0 with
 * the reason in info->why. */
int find_device(device_info *info);

/* Whether the device runs what was compiled for this target of nvcc: "sm_80" and all later ones
 * do; "sm_90a", the only one; NULL, any. */
int runs_target(const device_info *info, const char *target);

#ifdef __cplusplus
}
#endif
#endif
