/* counts.cpp - what a request costs, and the one place where the counts of the program are kept. */
#include "counts.h"
#include "observer.h"
#include "runtime/host/devices.h"
#include <algorithm>

namespace cudacpu::inspect {

program_counts &counted() {
    static program_counts *all = [] {
        program_counts *made = new program_counts(); /* the report comes after destructors */
        made->devices.resize((size_t)device_count());
        return made;
    }();
    return *all;
}

void count_transfer(int from, int to, size_t bytes) {
    std::vector<device_traffic> &devices = counted().devices;
    if (from == to)
        return;
    if (from != HOST)
        (to == HOST ? devices[(size_t)from].to_host : devices[(size_t)from].to_peers) += bytes;
    if (to != HOST)
        (from == HOST ? devices[(size_t)to].from_host : devices[(size_t)to].from_peers) += bytes;
}

kernel_counts &counts_of(const char *kernel_name) {
    for (auto &k : counted().kernels)
        if (k.name == kernel_name)
            return k;
    counted().kernels.emplace_back();
    counted().kernels.back().name = kernel_name;
    return counted().kernels.back();
}

/* ---- a warp's accesses, grouped as the hardware does ---- */

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

/* The lanes of a request, by number. */
struct lanes_of_request {
    const uintptr_t *address[32]; /* NULL: not active */
    /* Does each lane from first on want what the lane with that bit flipped wants? */
    bool are_pairs(unsigned first, unsigned count, unsigned bit) const {
        for (unsigned i = first; i < first + count; i++)
            if (address[i] && address[i ^ bit] && *address[i] != *address[i ^ bit])
                return false;
        return true;
    }
};

/* Adds the wavefronts of some lanes: the most words that one bank has to serve; atomic: once for
 * each lane that wants it. */
void add_wavefronts(traffic &t, const lanes_of_request &lanes, unsigned first, unsigned count,
                    unsigned words, bool atomic) {
    uintptr_t distinct[32][32];
    unsigned depth[32] = {0}, most = 0;
    for (unsigned i = first; i < first + count; i++)
        for (unsigned w = 0; lanes.address[i] && w < words; w++) {
            const uintptr_t word = *lanes.address[i] / 4 + w;
            const unsigned bank = word % 32;
            unsigned d = 0;
            while (d < depth[bank] && (atomic || distinct[bank][d] != word))
                d++;
            if (d == depth[bank])
                distinct[bank][depth[bank]++] = word;
            most = std::max(most, depth[bank]);
        }
    t.wavefronts += most;
    t.ideal += most > 0;
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

/* 32 banks of 4 bytes; a wavefront serves one word of each bank to any number of lanes. Accesses of
 * 8 bytes go by half warps, those of 16 by quarter warps; but two neighbours of these go together
 * in a load where all lanes come in pairs that want the same, neighbours or those two apart.
 * Measured on an H200: docs/inspect.md. */
traffic count_wavefronts(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                         unsigned size, access_kind kind) {
    traffic t;
    t.requests = 1;
    const unsigned words = (size + 3) / 4;
    t.words = (uint64_t)lanes * words;
    lanes_of_request all = {};
    for (unsigned i = 0; i < lanes; i++)
        all.address[lane[i]] = &address[i];
    const unsigned together = words == 1 ? 32 : 64 / words; /* lanes, where they come in pairs */
    for (unsigned first = 0; first < 32; first += together) {
        const bool merge =
            words == 1 || (kind == LOAD_ACCESS && (all.are_pairs(first, together, 1) ||
                                                   all.are_pairs(first, together, 2)));
        const unsigned count = merge ? together : together / 2;
        for (unsigned i = first; i < first + together; i += count)
            add_wavefronts(t, all, i, count, words, kind == ATOMIC_ACCESS);
    }
    return t;
}

} // namespace cudacpu::inspect
