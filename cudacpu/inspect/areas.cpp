/* areas.cpp - keeps the program's allocations. */
#include "areas.h"
#include "access_log.h"
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "places.h"
#include "races.h"
#include "runtime/host/errors.h"
#include "runtime/streams/operation.h"
#include "stream_faults.h"
#include <algorithm>
#include <cstring>

namespace cudacpu::inspect {
namespace {

std::map<uintptr_t, area *> areas; /* by base */

/* Calls visit(area, word, bytes of it as a mask) for each word of the rows. */
template <class Visit>
void each_word(const void *pointer, size_t pitch, size_t width, size_t height, Visit visit) {
    area *a = find_area((uintptr_t)pointer);
    if (!a)
        return;
    for (size_t row = 0; row < height; row++) {
        uintptr_t from = (uintptr_t)pointer + row * pitch - a->base, to = from + width;
        for (uintptr_t word = from / 4; word * 4 < to; word++) {
            unsigned low = word * 4 < from ? (unsigned)(from - word * 4) : 0,
                     high = to < word * 4 + 4 ? (unsigned)(to - word * 4) : 4;
            visit(a, word, (uint8_t)(((1u << (high - low)) - 1) << low));
        }
    }
}

/* With what host code has written by now. */
uint8_t written_bytes(const area *a, size_t word) {
    const uint8_t state = a->state_of(word);
    return state | find_host_writes(a, word, state);
}

void mark_written(const void *pointer, size_t pitch, size_t width, size_t height) {
    each_word(pointer, pitch, width, height, [](area *a, size_t word, uint8_t bytes) {
        a->set_state(word, a->state_of(word) | bytes);
    });
}
/* A copy or a library reads it. */
void note_read(const void *pointer) {
    if (area *a = find_area((uintptr_t)pointer))
        a->unread.clear();
}

/* Of the bytes of a word, those that are no padding, as far as the host has told. */
uint8_t without_padding(const area *a, size_t word, uint8_t bytes) {
    const layout &l = a->padded;
    for (unsigned b = 0; l.mask && b < 4; b++)
        if (!l.mask[(word * 4 + b + l.bytes - l.first % l.bytes) % l.bytes])
            bytes &= (uint8_t) ~(1u << b);
    return bytes;
}

/* Another allocation with this name, made elsewhere. */
bool is_name_taken(const std::string &name, uintptr_t allocated_at) {
    for (auto &entry : areas)
        if (entry.second->name == name && entry.second->allocated_at != allocated_at)
            return true;
    return false;
}

/* The area ends. */
void record_unread(const area *a) {
    if (a->unread.empty() || a->device == HOST || sticky_error())
        return;
    const place p = place_of(a->allocated_at);
    const std::string note = text(p, ": ", a->name, " (", a->bytes, " bytes): kernel ", a->unread,
                                  " wrote it last, and nobody has read it since or copied it");
    std::vector<std::string> &all = unread_results();
    if (std::find(all.begin(), all.end(), note) == all.end())
        all.push_back(note);
}

void forget_before(area *a) {
    if (a->before)
        munmap((void *)a->before, a->words * sizeof(word_history));
    a->before = nullptr;
}

/* Memory that host code may write: words that no program writes, and a NaN of any type, or with
 * CUDACPU_FILL=large, large. */
void fill_host_memory(area *a) {
    const bool is_nan = *(unsigned char *)a->base == 0xFF;
    a->fill = is_nan ? 0xFFFDFFFD : 0x7F7D7F7D;
    for (size_t at = 0; at < a->bytes; at += 4)
        memcpy((char *)a->base + at, &a->fill, std::min<size_t>(4, a->bytes - at));
}

/* Where the words before this one were written by the grid's last block of a row or column, and no
 * more of them: the block that would come next. */
std::string describe_missing_block(const area *a, size_t word) {
    const visit *before = word ? &a->history[word - 1].writer : nullptr;
    const dim3 g = a->grid, b = a->block;
    if (!before || !before->instruction || !b.x || before->block >= (uint64_t)g.x * g.y * g.z)
        return "";
    unsigned x = before->block % g.x, y = before->block / g.x % g.y;
    const unsigned thread_x = before->thread % b.x, thread_y = before->thread / b.x % b.y;
    const bool begins_row = a->pitch < a->bytes && word * 4 % a->pitch == 0;
    if (x == g.x - 1 && thread_x == b.x - 1 && !begins_row)
        x++;
    else if (y == g.y - 1 && thread_y == b.y - 1)
        y++;
    else
        return "";
    return text("; no thread of kernel ", a->kernel, " writes it: block (", x, ",", y,
                ") would come next, and the grid has ", g.x, " x ", g.y, " blocks");
}

/* What the launch did to word i, whose state says that it did something. */
void add_uses(memory_uses *uses, const area *a, size_t i, uint8_t state) {
    const word_history &h = a->history[i];
    const uintptr_t begin = a->base + 4 * i, end = std::min(begin + 4, a->base + a->bytes);
    const bool atomic = state & WRITTEN_NOW && is_atomic(h.writer.instruction);
    if (state & WRITTEN_NOW)
        uses->add(atomic ? USE_ATOMIC : USE_WRITE, begin, end);
    if (state & (READ_NOW | READ_BY_BLOCKS) && !(atomic && is_atomic(h.reader.instruction)))
        uses->add(USE_READ, begin, end);
}

/* What is not freed may be so since the program has ended after a failed call. */
void record_failed_call() {
    std::string at, said;
    if (find_last_failed_call(&at, &said))
        record_fault({"failed call", parse_place(at), "", said});
}

/* Counts the words that the launch has touched, and forgets it. sampled: only some blocks were
 * observed; nobody knows what the others wrote, so that all counts as written. */
void count_touched_words(kernel_counts &k, bool sampled) {
    memory_uses *uses = uses_of_running_kernel();
    const uint8_t used = WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS;
    for (auto &entry : areas) {
        area *a = entry.second;
        if (!a->dirty && !a->marked && !sampled)
            continue;
        a->marked = a->dirty;
        if (a->dirty) {
            a->kernel = k.name;
            a->grid = running_launch.grid;
            a->block = running_launch.block;
        }
        uint64_t touched = 0;
        uint8_t all = 0;
        for (size_t i = 0; i < a->words; i++) {
            uint8_t state = a->state_of(i);
            all |= state;
            if (sampled)
                state |= WRITTEN_BYTES;
            if (sampled || state & (used | TOUCHED_BEFORE)) {
                const bool is_used = state & used;
                touched += is_used;
                if (uses && is_used)
                    add_uses(uses, a, i, state);
                a->set_state(i, (state & WRITTEN_BYTES) | (is_used ? TOUCHED_BEFORE : 0));
            }
        }
        if (all & (READ_NOW | READ_BY_BLOCKS))
            a->unread.clear();
        if (all & WRITTEN_NOW && !a->is_read_back && !sampled)
            a->unread = k.name;
        a->is_read_back = false;
        k.touched[a->name] += touched;
        a->dirty = false;
    }
}

class area_events : public observer {
    void allocated(const allocation &added, size_t pitch, size_t width) override {
        area *a = new area();
        const place p = find_caller(&a->allocated_at);
        a->name = name_allocation(p, a->allocated_at);
        if (is_name_taken(a->name, a->allocated_at))
            a->name += text(" (line ", p.line, ")");
        a->device = added.kind == DEVICE_MEMORY ? added.device : HOST;
        a->base = (uintptr_t)added.data;
        a->bytes = added.bytes;
        a->pitch = pitch;
        a->width = width;
        a->words = (added.bytes + 3) / 4;
        a->state = make_zeroed<std::atomic<uint8_t>>(a->words);
        a->history = make_zeroed<word_history>(a->words);
        if (added.kind == REGISTERED_MEMORY) /* what it held before is not known */
            memset((void *)a->state, WRITTEN_BYTES, a->words);
        else if (added.kind != DEVICE_MEMORY)
            fill_host_memory(a);
        a->reported = added.kind == REGISTERED_MEMORY; /* it was not allocated here */
        areas[a->base] = a;
    }
    void freed(const allocation &removed) override {
        auto found = areas.find((uintptr_t)removed.data);
        if (found == areas.end())
            return;
        area *a = found->second;
        record_unread(a);
        munmap((void *)a->state, a->words);
        munmap((void *)a->history, a->words * sizeof(word_history));
        forget_before(a);
        areas.erase(found);
        a->base = a->bytes = 0; /* the counts that name it stay */
    }
    void host_wrote(const void *pointer, size_t pitch, size_t width, size_t height) override {
        mark_written(pointer, pitch, width, height);
    }
    void host_reads(const void *pointer, size_t pitch, size_t width, size_t height) override {
        note_read(pointer);
        size_t unwritten = 0, first = 0;
        area *where = nullptr;
        each_word(pointer, pitch, width, height, [&](area *a, size_t word, uint8_t bytes) {
            bytes = without_padding(a, word, bytes);
            if ((written_bytes(a, word) & bytes) != bytes && !unwritten++)
                first = word, where = a;
        });
        if (unwritten) {
            record_fault({"uninitialised read", place_of_operation(), "",
                          text("copies ", unwritten,
                               " words to the host that nobody has written; the first is ",
                               describe_position(where, where->base + first * 4),
                               describe_missing_block(where, first))});
        }
    }
    void device_copied(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                       size_t height) override {
        area *from = find_area((uintptr_t)src);
        note_read(src);
        if (!from) /* a variable, or host memory of the program's own */
            mark_written(dst, dst_pitch, width, height);
        for (size_t row = 0; from && row < height; row++) {
            const uintptr_t src_row = (uintptr_t)src + row * src_pitch - from->base,
                            dst_row = (uintptr_t)dst + row * dst_pitch;
            each_word((void *)dst_row, width, width, 1, [&](area *to, size_t word, uint8_t bytes) {
                uint8_t known = 0; /* byte by byte: the rows may begin anywhere in a word */
                for (unsigned b = 0; b < 4; b++)
                    if (bytes >> b & 1) {
                        const uintptr_t at = src_row + (to->base + word * 4 + b - dst_row);
                        known |= (uint8_t)((written_bytes(from, at / 4) >> at % 4 & 1) << b);
                    }
                to->set_state(word, (uint8_t)((to->state_of(word) & ~bytes) | (known & bytes)));
            });
        }
    }
    /* Structures of so many bytes lie there; of the mask, which stays, those of padding are 0. */
    void padding_known(const void *pointer, const unsigned char *mask, size_t bytes) override {
        if (area *a = find_area((uintptr_t)pointer))
            a->padded = {mask, bytes, (uintptr_t)pointer - a->base};
    }
    void structure_known(const void *pointer, const unsigned char *mask, size_t bytes) override {
        area *a = find_area((uintptr_t)pointer);
        if (!a)
            return;
        const size_t first = ((uintptr_t)pointer - a->base) % bytes;
        for (const layout &known : a->layouts)
            if (known.mask == mask && known.first == first)
                return;
        a->layouts.push_back({mask, bytes, first});
    }
    void operation_begins(const stream_operation &o) override {
        for (const memory_use &use : o.uses)
            if (!use.write)
                note_read(use.pointer);
    }
    void launch_ends() override {
        count_touched_words(counts_of(kernel_name()), sampled_scale() != 1);
    }
};

} // namespace

area *find_area(uintptr_t address) {
    auto next = areas.upper_bound(address);
    if (next == areas.begin())
        return nullptr;
    area *a = std::prev(next)->second;
    return address - a->base < a->bytes ? a : nullptr;
}

std::string describe_position(const area *a, uintptr_t address) {
    size_t offset = address - a->base;
    if (a->pitch >= a->bytes)
        return text("byte ", offset, " of ", a->name, " (", a->bytes, " bytes)");
    return text("row ", offset / a->pitch, ", byte ", offset % a->pitch, " of ", a->name,
                offset % a->pitch < a->width
                    ? ""
                    : text(", in the padding after a row of ", a->width, " bytes"));
}

uint8_t find_host_writes(const area *a, size_t word, uint8_t state) {
    if (!a->fill || (state & WRITTEN_BYTES) == WRITTEN_BYTES)
        return 0;
    const unsigned char *now = (unsigned char *)a->base + word * 4,
                        *fill = (unsigned char *)&a->fill;
    const size_t bytes = std::min<size_t>(4, a->bytes - word * 4);
    for (size_t b = 0; b < bytes; b++)
        if (!(state >> b & 1) && now[b] != fill[b])
            return WRITTEN_BYTES;
    /* few bytes at the end may be written and look the same: they follow the word before */
    return bytes < 4 && word ? find_host_writes(a, word - 1, 0) : 0;
}

/* Padding is what any of the types says, since a copy may go by pieces: entries as float4. */
int find_padding(const area *a, uintptr_t address, uint8_t unwritten, size_t bytes) {
    bool known = false;
    for (const layout &l : a->layouts) {
        const size_t at = (address & ~(uintptr_t)3) - a->base + l.bytes - l.first;
        bool all = true;
        for (unsigned b = 0; b < 4; b++)
            if (unwritten >> b & 1)
                all = all && !l.mask[(at + b) % l.bytes];
        if (all)
            return 1;
        known = known || l.bytes == bytes;
    }
    return known ? 0 : -1;
}

std::vector<std::string> &unread_results() {
    static auto *all = new std::vector<std::string>(); /* the report comes after destructors */
    return *all;
}

bool is_in_memory_before(uint32_t value) {
    for (auto &entry : areas) {
        const area *a = entry.second;
        for (size_t i = 0; a->dirty && i < a->bytes / 4; i++)
            if (((const uint32_t *)a->base)[i] == value && !(a->state_of(i) & WRITTEN_NOW))
                return true;
    }
    return false;
}

void keep_histories() {
    for (auto &entry : areas) {
        area *a = entry.second;
        if (!a->marked)
            continue;
        a->before = make_zeroed<word_history>(a->words);
        memcpy((void *)a->before, a->history, a->words * sizeof(word_history));
    }
}

void forget_histories() {
    for (auto &entry : areas)
        forget_before(entry.second);
}

void record_leaks() {
    bool any = false;
    for (auto &entry : areas) {
        area *a = entry.second;
        record_unread(a);
        if (a->reported || sticky_error()) /* after a sticky error nothing can be freed */
            continue;
        a->reported = true;
        const allocation *kept = find_live_allocation((const void *)a->base);
        if (kept && kept->of_graph)
            continue;
        if (!any)
            record_failed_call();
        any = true;
        record_fault(
            fault("memory not freed", a->allocated_at ? place_of(a->allocated_at) : place(), "",
                  text(a->name, ", ", a->bytes, " bytes, is not freed when the program ends")));
    }
}

observer &memory_areas() { return only<area_events>(); }

} // namespace cudacpu::inspect
