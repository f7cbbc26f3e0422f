/* stream_faults.cpp - compares each operation with those that are not ordered with it. */
#include "stream_faults.h"
#include "areas.h"
#include "faults.h"
#include "observer.h"
#include "runtime/host/devices.h"
#include "runtime/streams/stream_queue.h"

namespace cudacpu::inspect {
namespace {

/* An operation, or what host code did. */
struct action {
    uint64_t number;  /* of the stream_operation; 0: host code */
    std::string name; /* "cudaMemcpyAsync in stream 1", "host code" */
    place where;
    unsigned slot;
    uint64_t tick;
    stream_clock before;
    memory_life life;
    bool known; /* are its uses? A kernel's are when it has run */
    memory_uses uses;

    bool is_host() const { return number == 0; }
};

/* Those that something that comes may still be compared with, in the order of the program. */
std::vector<action> &actions = *new std::vector<action>();
const size_t MOST_ACTIONS = 2000;
uint64_t running; /* number of the operation that is being done; 0: none */
place running_place;

bool is_unordered(const action &a, const action &b) {
    return !b.before.covers(a.slot, a.tick) && !a.before.covers(b.slot, b.tick);
}

/* The first byte that both have; false: there is none. */
bool find_common(const std::vector<byte_range> &a, const std::vector<byte_range> &b,
                 uintptr_t *address) {
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        *address = a[i].begin > b[j].begin ? a[i].begin : b[j].begin;
        if (*address < a[i].end && *address < b[j].end)
            return true;
        if (a[i].end < b[j].end)
            i++;
        else
            j++;
    }
    return false;
}

/* "reads", or after "has still to": "read" */
std::string verb(const action &a, use_kind kind, bool infinitive) {
    const std::string text = a.life == ALLOCATED  ? "allocate"
                             : a.life == FREED    ? "release"
                             : kind == USE_READ   ? "read"
                             : kind == USE_ATOMIC ? "update"
                                                  : "write";
    return infinitive ? text : text + "s";
}

std::string name_memory(uintptr_t address, bool whole) {
    const area *a = find_area(address);
    return !a      ? "memory"
           : whole ? text(a->name, " (", a->bytes, " bytes)")
                   : describe_position(a, address);
}

void record_unordered(const action &first, use_kind first_use, const action &second,
                      use_kind second_use, uintptr_t address) {
    const bool frees = first.life == FREED || second.life == FREED,
               host = first.is_host() || second.is_host();
    const place &p = first.where;
    record_fault({frees  ? "freed while in use"
                  : host ? "missing synchronisation"
                         : "missing event",
                  second.where, "",
                  text(second.name, " ", verb(second, second_use, false), " ",
                       name_memory(address, second.life == FREED), ", which ", first.name,
                       p.line ? text(" (", p, ")") : "", " ", host ? "has still to " : "",
                       verb(first, first_use, host), ": no ",
                       host ? "cudaStreamSynchronize" : "event", " between them")});
}

void compare(const action &first, const action &second) {
    if (!is_unordered(first, second) || (first.life == ALLOCATED && second.life == FREED))
        return; /* what uses the memory between the two tells more */
    for (int a = 0; a < USE_KINDS; a++)
        for (int b = 0; b < USE_KINDS; b++) {
            uintptr_t address;
            if (a == b && a != USE_WRITE) /* reads, or atomic accesses */
                continue;
            if (!find_common(first.uses.ranges[a], second.uses.ranges[b], &address))
                continue;
            record_unordered(first, (use_kind)a, second, (use_kind)b, address);
            return;
        }
}

void compare_with_all(const action &a) {
    bool before = true;
    for (const action &other : actions)
        if (&other == &a)
            before = false;
        else if (other.known)
            before ? compare(other, a) : compare(a, other);
}

/* What the host has waited for is ordered with all that comes. */
void forget_ordered() {
    size_t kept = 0;
    for (size_t i = 0; i < actions.size(); i++) {
        const action &a = actions[i];
        bool needed = !a.known || !host_order().covers(a.slot, a.tick);
        for (size_t j = 0; j < actions.size() && !needed; j++)
            needed = !actions[j].known && is_unordered(a, actions[j]);
        if (needed && kept++ != i)
            std::swap(actions[kept - 1], actions[i]);
    }
    actions.resize(kept);
    if (actions.size() > MOST_ACTIONS)
        actions.erase(actions.begin());
}

void add_action(action &&a) {
    forget_ordered();
    actions.push_back(std::move(a));
    if (actions.back().known)
        compare_with_all(actions.back());
}

action *find_action(uint64_t number) {
    for (action &a : actions)
        if (a.number == number)
            return &a;
    return nullptr;
}

void add_host_action(const std::string &name, const place &where, memory_life life, use_kind kind,
                     uintptr_t begin, size_t bytes) {
    const uint64_t tick = tick_host();
    action a = {0, name, where, stream_clock::HOST, tick, host_order(), life, true, {}};
    a.uses.add(kind, begin, begin + bytes);
    add_action(std::move(a));
}

class stream_events : public observer {
    void operation_issued(const stream_operation &o) override {
        action a = {o.number,
                    (o.is_kernel() ? "kernel " : "") + std::string(o.name) + " in " +
                        name_stream(o.stream) + of_device(o.device),
                    o.is_kernel() ? place{o.file, o.line} : find_caller(),
                    o.slot,
                    o.tick,
                    o.order,
                    o.life,
                    !o.is_kernel(),
                    {}};
        for (const memory_use &use : o.uses)
            for (size_t row = 0; row < use.height; row++) {
                const uintptr_t begin = (uintptr_t)use.pointer + row * use.pitch;
                a.uses.add(use.write ? USE_WRITE : USE_READ, begin, begin + use.width);
            }
        if (o.is_kernel() || !o.uses.empty())
            add_action(std::move(a));
    }
    void operation_begins(const stream_operation &o) override {
        const action *a = find_action(o.number);
        running = o.number;
        running_place = a ? a->where : place();
    }
    void operation_ends(const stream_operation &o) override {
        running = 0;
        action *a = o.is_kernel() ? find_action(o.number) : nullptr;
        if (!a)
            return;
        a->known = true;
        compare_with_all(*a);
    }
    void host_accessed(const void *address, bool write, void *pc) override {
        place where = place_of((uintptr_t)pc + 1);
        if (!where.line)
            where = find_caller();
        add_host_action("host code", where, USED, write ? USE_WRITE : USE_READ, (uintptr_t)address,
                        1);
    }
    void host_frees(const char *function, const void *pointer, size_t bytes) override {
        add_host_action(function, find_caller(), FREED, USE_WRITE, (uintptr_t)pointer, bytes);
    }
};

} // namespace

memory_uses *uses_of_running_kernel() {
    action *a = running ? find_action(running) : nullptr;
    return a && !a->known ? &a->uses : nullptr;
}

place place_of_operation() { return running ? running_place : find_caller(); }

observer &stream_faults() { return only<stream_events>(); }

} // namespace cudacpu::inspect
