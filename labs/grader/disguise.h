/* disguise.h - inputs and results that host code can carry and not compute with: each element is a
 * token, of which the device gets the value when a copy brings it there; what a copy fetches from
 * the device becomes a token, too. A token is its element's number, permuted by a key. */
#ifndef DISGUISE_H
#define DISGUISE_H
#include <stdint.h>

/* A file of values begins with it; the values follow: A's elements by rows, then B's, then what was
 * fetched from the device, in that order. */
typedef struct disguise_header {
    uint64_t key, count; /* of inputs */
    uint64_t used;       /* of inputs and what was fetched */
    uint64_t capacity;
    uint32_t element; /* bytes of one: 4 or 8 */
    uint32_t type;    /* lab_type */
} disguise_header;

/* An odd factor times its inverse is 1, and a shift by half of the bits undoes itself. */
static inline uint64_t make_token(uint64_t number, uint64_t key, uint32_t element) {
    if (element == 4) {
        uint32_t x = (uint32_t)number * 0x9E3779B1u ^ (uint32_t)key;
        x ^= x >> 16;
        return (uint32_t)(x * 0x85EBCA6Bu) ^ (uint32_t)(key >> 32);
    }
    uint64_t x = number * 0x9E3779B97F4A7C15u ^ key;
    x ^= x >> 32;
    return x * 0xD6E8FEB86659FD93u ^ key >> 7;
}

static inline uint64_t invert(uint64_t odd) { /* modulo 2^64, by Newton's method */
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* The number of a token's element; any other word gives a number that is most likely too large. */
static inline uint64_t read_token(uint64_t token, uint64_t key, uint32_t element) {
    if (element == 4) {
        uint32_t x = ((uint32_t)token ^ (uint32_t)(key >> 32)) * (uint32_t)invert(0x85EBCA6Bu);
        x ^= x >> 16;
        return (uint32_t)((x ^ (uint32_t)key) * (uint32_t)invert(0x9E3779B1u));
    }
    uint64_t x = (token ^ key >> 7) * invert(0xD6E8FEB86659FD93u);
    x ^= x >> 32;
    return (x ^ key) * invert(0x9E3779B97F4A7C15u);
}
#endif
