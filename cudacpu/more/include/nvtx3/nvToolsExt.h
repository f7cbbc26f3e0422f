/* nvToolsExt.h - marks and ranges for a profiler, of which there is none: they do nothing. */
#ifndef CUDACPU_NVTX3_NVTOOLSEXT_H
#define CUDACPU_NVTX3_NVTOOLSEXT_H
#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1 } nvtxMessageType_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

/* Pushes and pops return a negative number, as they do where no profiler listens. */
static inline int nvtxRangePushA(const char *message) { return (void)message, -2; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *a) { return (void)a, -2; }
static inline int nvtxRangePop(void) { return -2; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *message) { return (void)message, 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline void nvtxMarkA(const char *message) { (void)message; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
    (void)name;
    return NULL;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a) {
    return (void)d, (void)a, -2;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return (void)domain, -2; }
/* What names an object of the type. */
#define CUDACPU_NVTX_NAME(name, type)                                                              \
    static inline void name(type object, const char *text) { (void)object, (void)text; }
CUDACPU_NVTX_NAME(nvtxNameOsThreadA, uint32_t)
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
