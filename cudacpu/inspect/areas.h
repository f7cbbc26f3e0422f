/* areas.h - the program's allocations: name, extent, and what is known of each of their words. */
#ifndef CUDACPU_INSPECT_AREAS_H
#define CUDACPU_INSPECT_AREAS_H
#include "counts.h"
#include "runtime/memory/allocation.h"
#include <atomic>
#include <vector>

namespace cudacpu::inspect {

struct word_history;

/* Structures of so many bytes, one of them at byte `first`; of the mask, padding's bytes are 0. */
struct layout {
    const unsigned char *mask;
    size_t bytes, first;
};

struct area {
    std::string name;
    int device; /* whose memory it is, or the runtime's HOST */
    uintptr_t base, bytes;
    size_t pitch, width;            /* pitch >= bytes: one row */
    std::atomic<uint8_t> *state;    /* of each word; races.h says which bits */
    word_history *history, *before; /* before: of the launch before, while that counts; or NULL */
    size_t words;
    layout padded; /* of the structures in it, as the host has told; mask NULL: it has not */
    std::vector<layout> layouts; /* of the structures that kernels have pointers to */
    uint32_t fill; /* of host memory: what its words hold until somebody writes them, else 0 */
    bool marked;   /* has it words that are TOUCHED_BEFORE? */
    bool dirty;    /* was it accessed in this launch? */
    bool reported;
    uintptr_t allocated_at; /* return address */
    /* the last launch that accessed it */
    std::string kernel;
    dim3 grid, block;
    bool is_read_back;  /* did it read what it had written? */
    std::string unread; /* the kernel whose results nobody has read since; "": none */

    uint8_t state_of(size_t word) const { return state[word].load(std::memory_order_relaxed); }
    void set_state(size_t word, uint8_t to) { state[word].store(to, std::memory_order_relaxed); }
};

/* What malloc and its kin have given to host code, and to kernels (heap.cpp). caller: the return
 * address of the call, in the program's code or in a library's. of_kernel: a kernel took it with
 * new or malloc; it is the kernel's to use, and not counted. */
struct heap_block {
    uintptr_t base;
    size_t bytes; /* 0: no block is known */
    void *caller;
    bool of_kernel;
};
heap_block find_heap_block(uintptr_t address);
/* "a host array of 40 bytes (allocated at FILE:LINE)"; "" where none is known. */
std::string describe_host_array(const void *pointer);

/* The area that holds address, NULL when there is none. Areas change between launches alone. */
area *find_area(uintptr_t address);
/* "row 3, byte 40 of device_a". Element and column are not known here. */
std::string describe_position(const area *a, uintptr_t address);

/* A copy of a structure of so many bytes reads these bytes of a word, which nobody has written. Are
 * they padding? -1: no kernel has said what lies there. */
int find_padding(const area *a, uintptr_t address, uint8_t unwritten, size_t bytes);
/* Host code writes its memory unseen: a word of it whose bytes without a write hold another value
 * than at first has been written. To be asked before a kernel writes to it. */
uint8_t find_host_writes(const area *a, size_t word, uint8_t state);
/* Has any word of what the launch accesses this value, and not from the launch itself? */
bool is_in_memory_before(uint32_t value);

/* What the last launch did is kept (area.before) while the next one begins its own history. */
void keep_histories();
void forget_histories();

/* The program ends: what is not freed is a fault. */
void record_leaks();
/* What kernels wrote and nobody read or copied, up to the end of the program or of the memory, for
 * the report: "FILE:LINE: out (400 bytes): kernel add wrote it last, ...". */
std::vector<std::string> &unread_results();

} // namespace cudacpu::inspect
#endif
