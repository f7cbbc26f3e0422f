/* access_log.cpp - logs accesses, makes requests of them, and traces these. */
#include "access_log.h"
#include "counts.h"
#include "excuses.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "places.h"
#include "runtime/host/process.h"
#include "stack.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace cudacpu::inspect {
namespace {

const uint32_t MOST_INSTRUCTIONS = 1 << 16;
std::mutex numbering;
uint32_t next_number = 1;
uintptr_t address_of_number[MOST_INSTRUCTIONS];
bool atomic_of_number[MOST_INSTRUCTIONS];

uint32_t number_instruction(uintptr_t return_address, bool atomic) {
    std::lock_guard<std::mutex> guard(numbering);
    for (uint32_t i = 1; i < next_number; i++)
        if (address_of_number[i] == return_address && atomic_of_number[i] == atomic)
            return i;
    if (next_number == MOST_INSTRUCTIONS) {
        fprintf(stderr, "inspect: more than %u instructions that access memory\n",
                MOST_INSTRUCTIONS);
        end_process(1);
    }
    address_of_number[next_number] = return_address;
    atomic_of_number[next_number] = atomic;
    return next_number++;
}

/* The same pattern, shifted by whole lines (in shared memory: by words), costs the same. */
const traffic &count_request(instruction *s, const uintptr_t *address, const unsigned char *lane,
                             unsigned lanes) {
    const bool global = s->logged == GLOBAL;
    const uintptr_t start = address[0];
    auto &memo = s->memo[global ? start / 32 % 4 : 0];
    bool same = memo.valid && lanes == 32 && memo.lanes == 32 &&
                (start - memo.start) % (global ? 128 : 4) == 0;
    if (same) {
        intptr_t difference = 0;
        for (unsigned i = 0; i < 32; i++)
            difference |= (intptr_t)(address[i] - start) ^ memo.offset[i];
        same = difference == 0;
    }
    if (!same) {
        memo.result = global ? count_sectors(address, lane, lanes, s->size)
                             : count_wavefronts(address, lane, lanes, s->size, kind_of(s));
        memo.lanes = lanes;
        memo.start = start;
        memo.valid = true;
        for (unsigned i = 0; i < lanes; i++)
            memo.offset[i] = (intptr_t)(address[i] - start);
    }
    return memo.result;
}

traffic &counts_in(instruction *s, area *a) {
    for (auto &entry : s->counts)
        if (entry.first == a)
            return entry.second;
    return s->counts.emplace_back(a, traffic()).second;
}

area *area_of(const instruction *s, uintptr_t address) {
    if (s->logged != GLOBAL)
        return nullptr;
    return s->where && address - s->where->base < s->where->bytes ? s->where : find_area(address);
}

FILE *trace_file; /* NULL: none */

/* The k-th request of an instruction in the worker's warp. */
void trace_request(const observed_worker *w, const instruction *s, uint32_t k,
                   const uintptr_t *address, const unsigned char *lane, unsigned lanes) {
    const area *a = s->logged == GLOBAL ? find_area(address[0]) : nullptr;
    const char *memory = a ? a->name.c_str() : s->logged == SHARED ? "shared" : "symbol";
    const char *kind = s->atomic ? "atomic" : s->write ? "store" : "load";
    const size_t pitch = a && a->pitch < a->bytes ? a->pitch : 0;
    /* Dynamic shared memory follows the static, as on a GPU; its banks stay. s->base may be that of
     * a later access. */
    const bool shared = s->logged == SHARED,
               fixed = shared && address[0] - s->owner->tls < s->owner->tls_bytes;
    const size_t before = shared && !fixed ? (s->owner->tls_bytes + 127) / 128 * 128 : 0;
    const uintptr_t base = a        ? a->base
                           : fixed  ? s->owner->tls
                           : shared ? (uintptr_t)s->owner->dynamic
                                    : s->base;
    for (unsigned i = 0; i < lanes; i++)
        fprintf(trace_file, "\"%s\",%u,%u,%d,%u,%u,%s,%s,%zu,%zu\n", kernel_name(), w->warp,
                w->phase, place_of(s->return_address).line, k, lane[i], memory, kind,
                before + (size_t)(address[i] - base), pitch);
}

/* The log of the warp that runs becomes requests. */
void count_requests(observed_worker *w) {
    for (instruction *s : w->logging) {
        lane_logs &l = s->now;
        const uint32_t most = *std::max_element(l.count, l.count + 32);
        for (uint32_t k = 0; k < most; k++) {
            uintptr_t address[32];
            unsigned char lane[32];
            unsigned lanes = 0;
            for (unsigned i = 0; i < 32; i++)
                if (l.count[i] > k) {
                    address[lanes] = l.log[i][k];
                    lane[lanes++] = (unsigned char)i;
                }
            if (__builtin_expect(trace_file && w->block == 0, 0))
                trace_request(w, s, k, address, lane, lanes);
            counts_in(s, area_of(s, address[0])) += count_request(s, address, lane, lanes);
        }
        memset(l.count, 0, sizeof l.count);
        s->logging = false;
    }
    w->logging.clear();
}

/* Of the warp w->warp: the log that is kept becomes the one of the warp that runs, or the other way
 * round; one of the two is empty. */
void exchange_logs(observed_worker *w) {
    std::vector<instruction *> &kept = w->kept[w->warp];
    const bool keep = kept.empty();
    for (instruction *s : keep ? w->logging : kept) {
        lane_logs *&other = s->kept[w->warp];
        if (!other)
            other = new lane_logs();
        std::swap(s->now, *other);
        s->logging = !keep;
    }
    kept.swap(w->logging);
}

/* The logs of all warps become requests. */
void close_log(observed_worker *w) {
    count_requests(w);
    for (unsigned warp = 0; warp < 32; warp++)
        if (!w->kept[warp].empty()) {
            w->warp = warp;
            exchange_logs(w);
            count_requests(w);
        }
}

uint64_t scale_count(uint64_t count, double scale) {
    return scale == 1 ? count : (uint64_t)((double)count * scale + 0.5);
}

/* Adds what the worker has counted in this launch, scaled to all blocks, and begins anew. */
void collect_traffic(kernel_counts &k, observed_worker *w, double scale) {
    for (instruction *s : w->instructions) {
        for (auto &entry : s->counts) {
            area *a = entry.first;
            traffic &t = entry.second;
            for (uint64_t traffic::*count :
                 {&traffic::words, &traffic::requests, &traffic::sectors, &traffic::lines,
                  &traffic::bytes_1_1, &traffic::wavefronts, &traffic::ideal})
                t.*count = scale_count(t.*count, scale);
            traffic_by_kind &sum = s->logged == SHARED ? k.shared
                                   : a                 ? k.by_matrix[a->name]
                                                       : k.symbols;
            (s->atomic ? sum.atomic : s->write ? sum.store : sum.load) += t;
            if (a && a->device != HOST) {
                const int here = running_launch.device;
                const bool sends = s->write || s->atomic;
                count_transfer(sends ? here : a->device, sends ? a->device : here, 32 * t.sectors);
            }
            instruction_counts &at = k.instructions_at[s->return_address];
            at.shared = !a;
            at.write = s->write;
            at.words += t.words;
        }
        s->counts.clear();
        for (auto &memo : s->memo)
            memo.valid = false;
        s->base = s->bytes = 0; /* memory may change between launches */
        s->what = NOWHERE;
    }
}

class log_events : public observer {
    /* Accesses of the block so far are complete. */
    static void finish_accesses(observed_worker *w) {
        finish_writes(w);
        if (!w->active)
            return;
        check_stored(w);
        w->stored.address = 0;
        close_log(w);
    }
    void barrier_opens(const unsigned short **) override {
        finish_accesses(this_worker);
        this_worker->barriers += this_worker->active;
    }
    void block_ends() override {
        finish_accesses(this_worker);
        this_worker->active = false; /* no thread of it runs any more */
    }
    void launch_ends() override {
        const double scale = sampled_scale();
        const dim3 block = running_launch.block;
        const uint64_t blocks = running_launch.blocks();
        kernel_counts &k = counts_of(kernel_name());
        const uint64_t loaded_before = k.global().load.words;
        k.launches++;
        k.grid = running_launch.grid;
        k.block = block;
        k.blocks += blocks;
        k.threads += blocks * block.x * block.y * block.z;
        for (observed_worker *w : workers()) {
            k.barriers += scale_count(w->barriers, scale);
            k.bulk_load_bytes += scale_count(w->bulk_load_bytes, scale);
            k.bulk_store_bytes += scale_count(w->bulk_store_bytes, scale);
            k.operand_bytes += scale_count(w->operand_bytes, scale);
            w->barriers = w->bulk_load_bytes = w->bulk_store_bytes = w->operand_bytes = 0;
            collect_traffic(k, w, scale);
            for (const uint32_t at : w->executed_at) {
                k.executed[program_text + at] += scale_count(w->executed[at], scale);
                w->executed[at] = 0;
            }
            w->executed_at.clear();
        }
        const uint64_t loaded = k.global().load.words - loaded_before;
        k.fewest_loaded = std::min(k.fewest_loaded, loaded);
        k.most_loaded = std::max(k.most_loaded, loaded);
    }
};

} // namespace

instruction *make_instruction(observed_worker *w, uintptr_t return_address, unsigned size,
                              bool write, bool atomic) {
    instruction *s = new instruction();
    s->return_address = return_address;
    s->size = size;
    s->write = write;
    s->atomic = atomic;
    s->other = s;
    s->number = number_instruction(return_address, atomic);
    w->instructions.push_back(s);
    return s;
}

uintptr_t instruction_address(uint32_t number) { return address_of_number[number]; }
bool is_atomic(uint32_t number) { return atomic_of_number[number]; }

uint32_t extend_log(observed_worker *w, instruction *s, unsigned lane) {
    lane_logs &l = s->now;
    const uint32_t k = l.count[lane];
    if (k >= LOG_LIMIT) {
        if (w->threads > 1)
            counted().approximate = true;
        count_requests(w);
        s->logging = true;
        w->logging.push_back(s);
        return 0;
    }
    l.capacity[lane] = k ? 2 * k : 16;
    l.log[lane] = (uint64_t *)realloc(l.log[lane], l.capacity[lane] * sizeof(uint64_t));
    if (!l.log[lane]) {
        fprintf(stderr, "inspect: no memory for the log of a warp\n");
        end_process(1);
    }
    return k;
}

void change_warp(observed_worker *w, unsigned warp) {
    if (w->knows->known.empty())
        count_requests(w); /* only the block's barrier, or its end, lets others run */
    else
        exchange_logs(w);
    w->warp = warp;
    exchange_logs(w);
}

observer &access_logs() { return only<log_events>(); }

void open_trace() {
    const char *path = getenv("CUDACPU_INSPECT_TRACE");
    if (!path)
        return;
    trace_file = fopen(path, "w");
    if (!trace_file) {
        fprintf(stderr, "inspect: CUDACPU_INSPECT_TRACE=%s: the file cannot be written\n", path);
        end_process(2);
    }
    fprintf(trace_file, "kernel,warp,barriers,line,request,lane,memory,kind,offset,pitch\n");
}

} // namespace cudacpu::inspect
