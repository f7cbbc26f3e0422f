/* recording.cpp - keeps what the threads of a block do, and makes steps of it. */
#include "recording.h"
#include "counts.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "runtime/scheduler/block.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

namespace cudacpu::inspect {

/* What a thread did. */
struct lane_entry {
    uint32_t place, repetition; /* the how manyth at this place, in this interval */
    uintptr_t address;
    uint32_t moment, event; /* event: from 1, in the recorder's events; 0: an access */
};

struct lane_event {
    event_numbers numbers;
    std::string text;
};

struct recorder {
    recording *now;
    bool copies; /* the accesses are those of a cp.async */
    uint32_t moment;
    std::map<std::tuple<std::string, uintptr_t, std::string, int, int, unsigned>, uint32_t> places;
    std::map<lane_pattern, uint32_t> patterns;
    std::vector<lane_event> events;
    std::vector<lane_entry> log[1024];
    std::vector<uint32_t> seen[1024]; /* by place */
};

namespace {

const size_t MOST_STEPS = 5000; /* of a warp */
const unsigned MOST_FAULTY = 2; /* blocks of a kernel that are kept for their faults */

std::vector<recording *> kept;
std::mutex keeping;

/* ---- what a thread does ---- */

bool is_full(const recorder *r, unsigned thread) {
    recording *now = r->now;
    if (now->steps[thread / 32].size() + r->log[thread].size() < MOST_STEPS)
        return false;
    now->cut[thread / 32] = true;
    return true;
}

/* address: of the instruction; 0 where a site says where it is. fault: its kind. */
uint32_t find_place(recorder *r, const char *kind, uintptr_t address, const place &at,
                    memory_class what, unsigned size = 0, access_kind access = LOAD_ACCESS,
                    const char *fault = "") {
    const auto key = std::make_tuple(kind, address, at.file + fault, at.line, (int)what, size);
    const auto found = r->places.emplace(key, (uint32_t)r->now->places.size());
    if (found.second)
        r->now->places.push_back({kind, address ? place_of(address) : at, what, size, access});
    return found.first->second;
}

void add_entry(recorder *r, unsigned thread, uint32_t place, uintptr_t address, uint32_t event) {
    std::vector<uint32_t> &seen = r->seen[thread];
    if (place >= seen.size())
        seen.resize(place + 1);
    r->log[thread].push_back({place, seen[place]++, address, ++r->moment, event});
}

/* ---- a warp's lanes become steps ---- */

/* The memory that a step's first lane accesses; UINT32_MAX: none that is known. */
uint32_t find_memory(observed_worker *w, recording *now, memory_class what, uintptr_t address) {
    recorded_memory m = {"", what, 0, 0, 0, 0, 0, 4, 0, -1};
    if (const area *a = what == GLOBAL ? find_area(address) : nullptr) {
        m.name = a->name, m.base = a->base, m.bytes = a->bytes, m.width = a->width;
        m.pitch = a->pitch < a->bytes ? a->pitch : 0;
    } else if (what == SHARED) {
        for (observed_worker *owner : workers()) {
            const bool dynamic = address - owner->shared_area < owner->shared_area_bytes;
            if (!dynamic && address - owner->tls >= owner->tls_bytes)
                continue;
            m.name = dynamic ? "dynamic shared memory" : "shared memory";
            if (owner != w)
                m.name += " of block " + block_name(owner->block);
            m.base = dynamic ? (uintptr_t)owner->dynamic : owner->tls;
            m.bytes = dynamic ? owner->dynamic_bytes : owner->tls_bytes;
            m.before = dynamic ? (owner->tls_bytes + 127) / 128 * 128 : 0;
        }
    }
    if (!m.base)
        return UINT32_MAX;
    for (size_t i = 0; i < now->memories.size(); i++)
        if (now->memories[i].base == m.base)
            return (uint32_t)i;
    now->memories.push_back(m);
    return (uint32_t)now->memories.size() - 1;
}

void note_offsets(recorded_memory *m, int64_t first, unsigned bytes) {
    m->lowest = m->highest < 0 ? first : std::min(m->lowest, first);
    m->highest = std::max(m->highest, first + bytes - 1);
}

void count_cost(recorded_step *s, const step_place &p, const uintptr_t *address,
                const unsigned char *lane, unsigned lanes) {
    if (!p.size || p.what == SYMBOL)
        return;
    const traffic t = p.what == GLOBAL ? count_sectors(address, lane, lanes, p.size)
                                       : count_wavefronts(address, lane, lanes, p.size, p.access);
    s->cost = (uint32_t)(p.what == GLOBAL ? t.sectors : t.wavefronts);
    s->extra = (uint32_t)(p.what == GLOBAL ? t.lines : t.wavefronts - t.ideal);
}

/* entry: what each of the lanes (a mask) did. */
void add_step(observed_worker *w, unsigned warp, uint32_t mask, const lane_entry *const *entry) {
    recorder *r = w->records;
    recording *now = r->now;
    uintptr_t address[32];
    unsigned char lane[32];
    unsigned lanes = 0;
    recorded_step s = {};
    for (unsigned i = 0; i < 32; i++)
        if (mask & 1u << i) {
            address[lanes] = entry[i]->address;
            lane[lanes++] = (unsigned char)i;
            s.moment = std::max(s.moment, entry[i]->moment);
        }
    const lane_entry &first = *entry[lane[0]];
    const step_place p = now->places[first.place];
    if (first.event) {
        const lane_event &e = r->events[first.event - 1];
        s.numbers = e.numbers;
        s.text = e.text;
    }
    s.place = first.place;
    s.memory = address[0] ? find_memory(w, now, p.what, address[0]) : UINT32_MAX;
    if (s.memory != UINT32_MAX) {
        recorded_memory &m = now->memories[s.memory];
        s.offset = (int64_t)(address[0] - m.base + m.before);
        if (p.size)
            m.element = std::min(m.element, p.size);
        const unsigned bytes = std::max(1u, p.size);
        for (unsigned i = 0; i < lanes; i++)
            if (address[i] - m.base + bytes <= m.bytes) /* else a fault, or another block's */
                note_offsets(&m, (int64_t)(address[i] - m.base + m.before), bytes);
    }
    count_cost(&s, p, address, lane, lanes);
    lane_pattern pattern = {mask, {}};
    for (unsigned i = 0; i < lanes; i++)
        pattern.second.push_back((int64_t)(address[i] - address[0]));
    const auto found = r->patterns.emplace(pattern, (uint32_t)now->patterns.size());
    if (found.second)
        now->patterns.push_back(pattern);
    s.pattern = found.first->second;
    now->steps[warp].push_back(s);
}

/* The lanes of a warp that did the same. */
struct together {
    uint32_t mask = 0, at_front = 0;
    const lane_entry *entry[32];
    bool done = false;
};

class merger {
  public:
    merger(observed_worker *w, unsigned warp) : w(w), warp(warp) {
        for (unsigned i = 0; i < 32; i++)
            for (const lane_entry &e : log(i)) {
                together &t = find(e);
                t.mask |= 1u << i;
                t.entry[i] = &e;
            }
        for (unsigned i = 0; i < 32; i++)
            look_at_front(i);
    }
    void merge() {
        while (together *t = choose()) {
            t->done = true;
            add_step(w, warp, t->mask, t->entry);
            for (unsigned i = 0; i < 32; i++)
                while (next[i] < log(i).size() && find(log(i)[next[i]]).done) {
                    next[i]++;
                    look_at_front(i);
                }
        }
    }

  private:
    observed_worker *w;
    unsigned warp;
    std::map<std::pair<uint32_t, uint32_t>, together> all; /* by place and repetition */
    size_t next[32] = {};
    /* of what stands at a front: have not all its lanes come to it? line, place, repetition */
    std::set<std::tuple<bool, int, uint32_t, uint32_t>> fronts;

    std::vector<lane_entry> &log(unsigned lane) { return w->records->log[32 * warp + lane]; }
    together &find(const lane_entry &e) { return all[{e.place, e.repetition}]; }
    void look_at_front(unsigned lane) {
        if (next[lane] == log(lane).size())
            return;
        const lane_entry &e = log(lane)[next[lane]];
        together &t = find(e);
        if (t.done)
            return;
        t.at_front |= 1u << lane;
        const int line = w->records->now->places[e.place].at.line;
        fronts.erase({true, line, e.place, e.repetition});
        fronts.insert({t.at_front != t.mask, line, e.place, e.repetition});
    }
    /* One that all its lanes have come to; where lanes took two ways in turn there may be none. */
    together *choose() {
        if (fronts.empty())
            return nullptr;
        const auto [waits, line, place, repetition] = *fronts.begin();
        fronts.erase(fronts.begin());
        return &all[{place, repetition}];
    }
};

void close_interval(observed_worker *w) {
    recorder *r = w->records;
    for (unsigned warp = 0; warp < r->now->warps; warp++)
        merger(w, warp).merge();
    for (unsigned i = 0; i < w->threads; i++) {
        r->log[i].clear();
        r->seen[i].clear();
    }
    r->events.clear();
}

/* Under the lock: is it to be kept, and in whose place? */
bool make_room(const recording *now) {
    unsigned faulty = 0;
    for (size_t i = 0; i < kept.size(); i++) {
        if (kept[i]->kernel != now->kernel)
            continue;
        if (kept[i]->block == now->block && (kept[i]->faulty || !now->faulty))
            return false;
        if (kept[i]->block && kept[i]->faulty && ++faulty == MOST_FAULTY) {
            if (!now->block)
                continue;
            if (kept[i]->launch < now->launch || kept[i]->block < now->block)
                return false;
            kept.erase(kept.begin() + (ptrdiff_t)i);
            return true;
        }
    }
    return now->block == 0 || now->faulty;
}

class recording_events : public observer {
    void block_begins(const block_start &, const unsigned short **) override {
        observed_worker *w = this_worker;
        if (!is_recording || !w->active)
            return;
        w->records = new recorder();
        recording *now = w->records->now = new recording();
        now->kernel = kernel_name();
        now->launch = running_launch.number;
        now->block = w->block;
        now->grid = running_launch.grid;
        now->dimensions = running_launch.block;
        now->warps = (w->threads + 31) / 32;
    }
    void barrier_opens(const unsigned short **) override {
        observed_worker *w = observed();
        recorder *r = w ? w->records : nullptr;
        if (!r)
            return;
        close_interval(w);
        const uint32_t where = find_place(r, "barrier", 0, self->waiting[0]->where, NOWHERE);
        r->moment++;
        for (unsigned warp = 0; warp < r->now->warps; warp++) {
            const unsigned lanes = std::min(32u, w->threads - 32 * warp);
            const lane_entry entry = {where, 0, 0, r->moment, 0};
            const lane_entry *entries[32];
            std::fill(entries, entries + 32, &entry);
            if (!r->now->cut[warp])
                add_step(w, warp, lanes == 32 ? UINT32_MAX : (1u << lanes) - 1, entries);
        }
    }
    void block_ends() override {
        observed_worker *w = this_worker;
        if (!w->records)
            return;
        close_interval(w);
        recording *now = w->records->now;
        delete w->records;
        w->records = nullptr;
        std::lock_guard<std::mutex> guard(keeping);
        if (make_room(now))
            kept.push_back(now);
        else
            delete now;
    }
};

} // namespace

const std::vector<recording *> &kept_recordings() {
    std::sort(kept.begin(), kept.end(), [](const recording *a, const recording *b) {
        return std::tie(a->launch, a->block) < std::tie(b->launch, b->block);
    });
    return kept;
}

void record_access(observed_worker *w, const instruction *s, unsigned thread, uintptr_t address) {
    recorder *r = w->records;
    if (!r || is_full(r, thread))
        return;
    const char *kind = r->copies   ? s->write ? "copy writes" : "copy reads"
                       : s->atomic ? "atomic"
                       : s->write  ? "store"
                                   : "load";
    add_entry(r, thread, find_place(r, kind, s->return_address, {}, s->logged, s->size, kind_of(s)),
              address, 0);
}

void record_event(const char *kind, const site *where, const void *memory,
                  const event_numbers &numbers) {
    observed_worker *w = is_recording ? observed() : nullptr;
    recorder *r = w ? w->records : nullptr;
    if (!r || is_full(r, thread_number()))
        return;
    r->events.push_back({numbers, ""});
    add_entry(r, thread_number(),
              find_place(r, kind, 0, where ? place(where) : place(), memory ? SHARED : NOWHERE),
              (uintptr_t)memory, (uint32_t)r->events.size());
}

void record_bulk_copy(const char *kind, const site *where, const void *shared, const void *other,
                      unsigned bytes, const uint64_t *barrier, uint64_t phase) {
    observed_worker *w = is_recording ? observed() : nullptr;
    if (!w || !w->records)
        return;
    recording *now = w->records->now;
    const uintptr_t address = (uintptr_t)other;
    const memory_class what = find_area(address) ? GLOBAL : SHARED;
    const uint32_t memory = find_memory(w, now, what, address);
    int64_t offset = 0;
    if (memory != UINT32_MAX) {
        recorded_memory &m = now->memories[memory];
        offset = (int64_t)(address - m.base + m.before);
        note_offsets(&m, offset, bytes);
    }
    record_event(kind, where, shared,
                 {bytes, memory == UINT32_MAX ? -1 : (int64_t)memory, offset,
                  (int64_t)((uintptr_t)barrier & 0xffffff), (int64_t)phase});
}

void record_step_fault(observed_worker *w, const char *kind, const place &at, uintptr_t address,
                       const std::string &message) {
    recorder *r = w->records;
    if (!r)
        return;
    r->now->faulty = true;
    const unsigned thread = thread_number();
    if (is_full(r, thread))
        return;
    r->events.push_back({{}, text(kind, ": ", message)});
    const memory_class what = !address ? NOWHERE : find_area(address) ? GLOBAL : SHARED;
    add_entry(r, thread, find_place(r, "fault", 0, at, what, 0, LOAD_ACCESS, kind), address,
              (uint32_t)r->events.size());
}

void record_as_copy(observed_worker *w, bool copy) {
    if (w->records)
        w->records->copies = copy;
}

observer &recordings() { return only<recording_events>(); }

} // namespace cudacpu::inspect
