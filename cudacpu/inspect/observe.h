/* observe.h - what observe.cpp counts and inspect.cpp reports. */
#ifndef CUDACPU_OBSERVE_H
#define CUDACPU_OBSERVE_H
#include "cuda_runtime.h"
#include "runtime/allocation.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/observer.h"
#include "runtime/program.h"
#include "runtime/source_place.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cudacpu {

/* Counts of one kind of access (load or store). A request is what one warp asks for with one
 * instruction; words have 4 bytes. transactions_1_1: bytes moved under compute capability 1.1's
 * rule. Wavefronts and ideal (what the same request would need without bank conflicts) are of
 * shared memory. */
struct traffic {
    uint64_t words = 0, requests = 0, sectors = 0, lines = 0, bytes_1_1 = 0, wavefronts = 0,
             ideal = 0;
    void operator+=(const traffic &t) {
        words += t.words, requests += t.requests, sectors += t.sectors, lines += t.lines,
            bytes_1_1 += t.bytes_1_1;
        wavefronts += t.wavefronts, ideal += t.ideal;
    }
};
struct both_ways {
    traffic load, store, atomic;
    void operator+=(const both_ways &o) { load += o.load, store += o.store, atomic += o.atomic; }
};

struct fault {
    std::string kind, file;
    int line;
    std::string kernel, block, thread, address, message, other;
    uint64_t count;
};

struct kernel_counts {
    std::string name;
    uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
    double instructions = 0;                    /* estimated, see inspect.cpp */
    dim3 grid, block;                           /* of the last launch */
    std::map<std::string, both_ways> by_matrix; /* global memory, by the name of the allocation */
    std::map<std::string, uint64_t> touched;    /* distinct words of it, summed over launches */
    both_ways shared, symbols;
    std::map<uintptr_t, uint64_t> executed; /* basic blocks, by the address of their first call */
    struct accesses {
        bool shared, write;
        uint64_t words;
    };
    std::map<uintptr_t, accesses> instructions_at; /* by return address */
    both_ways global() const {
        both_ways all;
        for (auto &m : by_matrix)
            all += m.second;
        return all;
    }
};

/* Of the whole program, complete when it ends. */
struct observations {
    std::mutex lock;
    std::vector<kernel_counts> kernels;
    std::vector<fault> faults;
    bool approximate = false; /* a warp's log was cut */
    bool sampled = false;     /* not every block was observed: the counts are those of the observed
                                 blocks, scaled */
};
observations &observed();

struct place {
    std::string file;
    int line;
};
place place_of(uintptr_t pc,
               bool is_return_address); /* with a memory; {"", 0} where it is not known */
std::string text_at(const place &p);    /* the source line, "" when it cannot be read */

} // namespace cudacpu
#endif
