/* coalescing.cpp - groups the accesses of a warp's lanes as the hardware does. */
#include "coalescing.h"
#include <algorithm>

namespace cudacpu::inspect {
namespace {

void add_distinct(uintptr_t *set, unsigned &count, uintptr_t value) {
    for (unsigned i = count; i-- > 0;)
        if (set[i] == value)
            return;
    set[count++] = value;
}

/* Compute capability 1.1: thread k of a half-warp on word k of an aligned segment of 16 words, or
 * one by one. */
uint64_t count_bytes_1_1(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                         unsigned size) {
    uint64_t bytes = 0;
    for (unsigned half = 0; half < 2; half++) {
        unsigned active = 0;
        bool coalesced = size >= 4;
        uintptr_t segment = 0;
        for (unsigned i = 0; i < lanes; i++) {
            if (lane[i] / 16 != half)
                continue;
            uintptr_t first = address[i] - (lane[i] % 16u) * size;
            if (!active++)
                segment = first;
            coalesced = coalesced && first == segment && first % (16 * size) == 0;
        }
        if (active)
            bytes += coalesced ? 16 * size : active * 32;
    }
    return bytes;
}

} // namespace

traffic count_sectors(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                      unsigned size) {
    uintptr_t sector[64], line[64];
    unsigned sectors = 0, lines = 0;
    for (unsigned i = 0; i < lanes; i++) {
        const uintptr_t last = address[i] + size - 1;
        add_distinct(sector, sectors, address[i] / 32);
        add_distinct(line, lines, address[i] / 128);
        if (last / 32 != address[i] / 32) {
            add_distinct(sector, sectors, last / 32);
            add_distinct(line, lines, last / 128);
        }
    }
    traffic t;
    t.requests = 1;
    t.words = (uint64_t)lanes * ((size + 3) / 4);
    t.sectors = sectors;
    t.lines = lines;
    t.bytes_1_1 = count_bytes_1_1(address, lane, lanes, size);
    return t;
}

/* 32 banks of 4 bytes; a wavefront serves one word of each bank to any number of lanes. Wider
 * accesses go by half or quarter warps. */
traffic count_wavefronts(const uintptr_t *address, unsigned lanes, unsigned size) {
    traffic t;
    t.requests = 1;
    unsigned words = (size + 3) / 4;
    t.words = (uint64_t)lanes * words;
    unsigned each = 32 / words;
    for (unsigned from = 0; from < lanes; from += each) {
        uintptr_t distinct[32][32];
        unsigned depth[32] = {0}, most = 1;
        for (unsigned i = from; i < lanes && i < from + each; i++)
            for (unsigned w = 0; w < words; w++) {
                uintptr_t word = address[i] / 4 + w;
                unsigned bank = word % 32, d = 0;
                while (d < depth[bank] && distinct[bank][d] != word)
                    d++;
                if (d == depth[bank])
                    distinct[bank][depth[bank]++] = word;
                most = std::max(most, depth[bank]);
            }
        t.wavefronts += most;
        t.ideal++;
    }
    return t;
}

} // namespace cudacpu::inspect
