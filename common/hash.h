/* hash.h - a hash of a matrix's bytes, to tell whether two products are equal bit for bit. */
#ifndef HASH_H
#define HASH_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
uint64_t hash_bytes(const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
