/* counts.h - what is counted: the traffic of memory, for each kernel of the program. */
#ifndef CUDACPU_INSPECT_COUNTS_H
#define CUDACPU_INSPECT_COUNTS_H
#include "cuda_runtime.h"
#include <map>
#include <string>
#include <vector>

namespace cudacpu::inspect {

/* Counts of one kind of access. A request is what one warp asks for with one instruction; words
 * have 4 bytes. bytes_1_1: bytes moved under compute capability 1.1's rule. Wavefronts and ideal
 * (what the same request would need without bank conflicts) are of shared memory. */
struct traffic {
    uint64_t words = 0, requests = 0, sectors = 0, lines = 0, bytes_1_1 = 0, wavefronts = 0,
             ideal = 0;
    void operator+=(const traffic &t) {
        words += t.words, requests += t.requests, sectors += t.sectors, lines += t.lines,
            bytes_1_1 += t.bytes_1_1;
        wavefronts += t.wavefronts, ideal += t.ideal;
    }
};

struct traffic_by_kind {
    traffic load, store, atomic;
    void operator+=(const traffic_by_kind &t) {
        load += t.load, store += t.store, atomic += t.atomic;
    }
};

/* The words that one instruction of a kernel accesses. */
struct instruction_counts {
    bool shared, write;
    uint64_t words;
};

struct kernel_counts {
    std::string name;
    uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
    double instructions = 0; /* estimated (model.h) when the program ends */
    dim3 grid, block;        /* of the last launch */
    /* words of global memory that the launch with the fewest has loaded, and the one with the most
     */
    uint64_t fewest_loaded = UINT64_MAX, most_loaded = 0;
    /* global memory, by the name of the allocation */
    std::map<std::string, traffic_by_kind> by_matrix;
    std::map<std::string, uint64_t> touched; /* distinct words of it, summed over launches */
    traffic_by_kind shared, symbols;
    /* bytes of bulk copies to and from shared memory, and of what wgmma reads there */
    uint64_t bulk_load_bytes = 0, bulk_store_bytes = 0, operand_bytes = 0;
    std::map<uintptr_t, uint64_t> executed; /* basic blocks, by the address of their first call */
    std::map<uintptr_t, instruction_counts> instructions_at; /* by return address */

    traffic_by_kind global() const {
        traffic_by_kind all;
        for (auto &matrix : by_matrix)
            all += matrix.second;
        return all;
    }
};

/* Bytes that a device sends and receives: by copies, and peers also by their kernels' accesses to
 * its memory, in sectors of 32 bytes. */
struct device_traffic {
    uint64_t from_host = 0, to_host = 0, from_peers = 0, to_peers = 0;
};

/* Of the whole program, complete when it ends. */
struct program_counts {
    std::vector<kernel_counts> kernels;
    std::vector<device_traffic> devices;
    bool approximate = false; /* a warp's log was cut */
    bool sampled = false;     /* not every block was observed: the counts are those of the observed
                                 blocks, scaled */
};
program_counts &counted();
/* from, to: a device, or the runtime's HOST. */
void count_transfer(int from, int to, size_t bytes);
/* The counts of the kernel with this name; zeros when it is new. */
kernel_counts &counts_of(const char *kernel_name);

/* What one request costs: the sectors and lines of global memory that it touches, the wavefronts
 * that the banks of shared memory need. */
enum access_kind { LOAD_ACCESS, STORE_ACCESS, ATOMIC_ACCESS };

/* Each of the lanes (their numbers in lane, ascending) accesses size bytes at its address. */
traffic count_sectors(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                      unsigned size);
traffic count_wavefronts(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                         unsigned size, access_kind kind);

} // namespace cudacpu::inspect
#endif
