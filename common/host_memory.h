/* host_memory.h - how much host memory can be had. */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that can be had now: the least of what the system, the control group and the process's own
 * limit leave. 0 when it cannot be told. */
size_t host_free_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
