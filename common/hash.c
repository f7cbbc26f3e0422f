/* hash.c - FNV-1a. */
#include "hash.h"

uint64_t hash_bytes(const void *bytes, size_t count) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return h;
}
