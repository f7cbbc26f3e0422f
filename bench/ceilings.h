/* ceilings.h - what this device can do at most, measured. */
#ifndef CEILINGS_H
#define CEILINGS_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ceilings {
    double fma;        /* TFLOP/s: float fused multiply-add in registers */
    double fp16, int8; /* TFLOP/s and TOP/s: cuBLAS products of 8192 x 8192 on the tensor cores; NaN
                          without cuBLAS */
    double copy;       /* TB/s: device to device, bytes read and written */
} ceilings;

/* A failing CUDA call prints one sentence and exits with 1. */
ceilings measure_ceilings(void);

/* Adds what the device says of itself to a file, a line for each: its SMs, L2 cache, shared memory
 * and registers. */
void tell_device(const char *path);

#ifdef __cplusplus
}
#endif
#endif
