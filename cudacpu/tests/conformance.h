/* conformance.h - the shape of a test of the runtime or of a device feature. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct conformance_case {
    const char *name;         /* NULL ends the array */
    const char *(*run)(void); /* NULL when all is well, else what is wrong (static memory) */
} conformance_case;
extern const conformance_case conformance_cases[];
extern const conformance_case instruction_features[];
extern const conformance_case arithmetic_features[], warp_features[], memory_features[],
    launch_features[], stream_features[], group_features[], texture_features[], half_features[],
    library_features[], random_features[], rare_features[], graph_features[], newer_features[],
    size_features[];
extern const conformance_case device_features[]; /* where there are several devices */
int count_devices(void);                         /* at most 8 of them */

/* The features' cases, one after the other; NULL after the last. */
const conformance_case *find_feature(int i);

#ifdef __cplusplus
}

#include <stdio.h>
/* A macro, so that the message names the line. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            static char expect_message[512];                                                       \
            snprintf(expect_message, sizeof expect_message, "%s:%d: not so: %s", __FILE__,         \
                     __LINE__, #condition);                                                        \
            return expect_message;                                                                 \
        }                                                                                          \
    } while (0)
/* The same for error codes: both are named. */
#define EXPECT_CODE(call, code)                                                                    \
    do {                                                                                           \
        cudaError_t expect_got = (call);                                                           \
        if (expect_got != (code)) {                                                                \
            static char expect_message[512];                                                       \
            snprintf(expect_message, sizeof expect_message, "%s:%d: %s gives %d (%s), not %d",     \
                     __FILE__, __LINE__, #call, (int)expect_got, cudaGetErrorString(expect_got),   \
                     (int)(code));                                                                 \
            return expect_message;                                                                 \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT_CODE(call, cudaSuccess)
#endif
#endif
