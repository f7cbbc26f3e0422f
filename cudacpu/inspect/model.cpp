/* model.cpp - the article's card, and an H200 beside it. */
#include "model.h"
#include "places.h"
#include "runtime/host/process.h"
#include "runtime/host/symbolizer.h"
#include <algorithm>
#include <cctype>
#include <cstring>

extern "C" void __sanitizer_cov_trace_pc();

namespace cudacpu::inspect {

/* GeForce 8800GT: 57.6 GB/s, of which step 05 reached the share that moves its 4.036 GB in the
 * article's 0.09 s; the rest of the article's 0.125 s for that step is transfer and allocation. No
 * other figure of the article is used. */
const double STEP_05_BYTES = 4.036e9, STEP_05_KERNEL = 0.09, STEP_05_TOTAL = 0.125;
const card ARTICLE = {"GeForce 8800GT", STEP_05_BYTES / STEP_05_KERNEL, 14, 0.25, 1.5e9};
const double TRANSFER = STEP_05_TOTAL - STEP_05_KERNEL;
/* Copy bandwidth as measured; the clock at which its measured 65.1 TFLOP/s are two operations per
 * core (docs/results/bench.csv). */
const card H200 = {"H200", 4.22e12, 132, 4, 1.926e9};

prediction predict(const kernel_counts &k) {
    const traffic_by_kind global = k.global();
    traffic all = global.load;
    all += global.store;
    all += global.atomic;
    uint64_t touched = 0;
    for (auto &matrix : k.touched)
        touched += matrix.second;
    prediction p;
    p.bytes_1_1 = (double)all.bytes_1_1;
    p.memory = p.bytes_1_1 / ARTICLE.bandwidth;
    p.instructions = k.instructions / ARTICLE.instructions();
    p.kernel = std::max(p.memory, p.instructions);
    p.total = p.kernel + TRANSFER;
    const double h200_instructions = k.instructions / H200.instructions();
    p.h200_no_cache = std::max(32.0 * (double)all.sectors / H200.bandwidth, h200_instructions);
    p.h200_perfect_cache = std::max(4.0 * (double)touched / H200.bandwidth, h200_instructions);
    return p;
}

/* ---- instructions, from the executions of each source line ---- */

namespace {

struct row {
    uintptr_t address, sequence; /* where the stretch of code begins that it is in */
    place at;
};

/* The program's line table. A stretch of code that begins in the table's first file, which is
 * cudacpu's vector_types.h, has no head of its own there: its rows stand under another file's. */
std::vector<row> read_line_table() {
    std::vector<row> rows;
    char text[8192], name[4096];
    const std::string command =
        cudacpu::text("objdump --dwarf=decodedline '", program_file(), "' 2>/dev/null");
    FILE *pipe = popen(command.c_str(), "r");
    std::string file;
    bool skipped = false; /* cudacpu's own file, or the compiler's */
    uintptr_t base = program_base(), sequence = 0;
    while (pipe && fgets(text, sizeof text, pipe)) {
        unsigned long long address;
        int line;
        char dash[2];
        size_t end = strcspn(text, "\n");
        if (end > 1 && text[end - 1] == ':') {
            file.assign(text, end - 1);
            if (file.compare(0, 4, "CU: ") == 0)
                file.erase(0, 4);
            skipped = is_own_source(("/" + file).c_str()) || file.compare(0, 5, "/usr/") == 0;
        } else if (skipped && sequence && !strchr(text, '-')) {
            continue; /* most of the lines: not worth reading */
        } else if (sscanf(text, "%4095s %d %llx", name, &line, &address) == 3) {
            sequence = sequence ? sequence : base + (uintptr_t)address;
            const size_t at = file.rfind(name); /* the row's own file is the end of its path */
            if (!skipped && at != std::string::npos && at + strlen(name) == file.size())
                rows.push_back({base + (uintptr_t)address, sequence, {file, line}});
        } else if (sscanf(text, "%4095s %1[-] %llx", name, dash, &address) == 3) {
            sequence = 0;
        }
    }
    if (pipe)
        pclose(pipe);
    return rows;
}

/* Instructions of one execution of a line, by what a compiler for a GPU makes of its text: one for
 * each arithmetic operator outside of an index (indices become pointers that are advanced once a
 * loop), each comparison and each choice (&&, ||, ?:); three for a loop's test, branch and
 * increment, none where its bound is a constant, since such a loop is unrolled; one for a barrier.
 * Accesses are counted where they happen: two for one of global memory (with its address), one for
 * one of shared memory, but an arithmetic instruction takes one operand from shared memory for free
 * (compute capability 1.1). The same for every step. */
int weigh(std::string text, bool *arithmetic) {
    text = text.substr(0, std::min(text.find("//"), text.find("/*")));
    *arithmetic = false;
    const size_t end = text.find_last_not_of(" \n");
    if (end != std::string::npos && end >= 2 && text.compare(end - 2, 3, ") {") == 0 &&
        text.find("if (") == std::string::npos && text.find("for (") == std::string::npos &&
        text.find("while (") == std::string::npos && text.find("switch (") == std::string::npos)
        return 0; /* a function's head: float *c is no product */
    size_t loop = text.find("for (");
    if (loop == std::string::npos)
        loop = text.find("while (");
    if (loop != std::string::npos) {
        size_t test = text.find(';', loop),
               less = text.find('<', test == std::string::npos ? loop : test);
        while (less != std::string::npos && ++less < text.size() &&
               (text[less] == ' ' || text[less] == '='))
            continue;
        bool constant = less != std::string::npos && less < text.size();
        for (; constant && less < text.size() && text[less] != ';'; less++)
            constant = !islower((unsigned char)text[less]);
        return constant ? 0 : 3;
    }
    int weight = text.find("__sync") != std::string::npos, depth = 0;
    char before = ' '; /* the last character that is not a space */
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i], after = i + 1 < text.size() ? text[i + 1] : ' ';
        depth += (c == '[') - (c == ']');
        bool binary = !depth && (isalnum((unsigned char)before) || strchr("_)]", before));
        if (!isspace((unsigned char)c))
            before = c;
        if (!binary)
            continue;
        const bool computes =
            strchr("+-*/%", c) && !((c == '+' || c == '-') && (after == c || after == '>'));
        *arithmetic = *arithmetic || computes;
        weight += computes || strchr("<>?", c) || (strchr("&|=", c) && after == c) ||
                  (c == '!' && after == '=');
    }
    return weight;
}

struct line_count {
    uint64_t executions = 0, global = 0, shared_loads = 0, shared_stores = 0;
};

/* Every basic block's landmark, the return address of its call of __sanitizer_cov_trace_pc, with 0
 * executions. */
std::map<uintptr_t, uint64_t> find_basic_blocks() {
    std::map<uintptr_t, uint64_t> blocks;
    const unsigned char *from = (const unsigned char *)program_text,
                        *to = from + program_text_bytes - 8;
    uintptr_t target = (uintptr_t)&__sanitizer_cov_trace_pc;
    for (const unsigned char *p = from; p < to; p++) {
#if defined(__x86_64__)
        int32_t distance;
        memcpy(&distance, p + 1, 4);
        if (*p == 0xe8 && (uintptr_t)p + 5 + (uintptr_t)(intptr_t)distance == target)
            blocks[(uintptr_t)p + 5];
#elif defined(__aarch64__)
        uint32_t code;
        memcpy(&code, p, 4);
        if ((uintptr_t)p % 4 == 0 && code >> 26 == 0x25 &&
            (uintptr_t)p + (uintptr_t)((intptr_t)(int32_t)(code << 6) >> 4) == target)
            blocks[(uintptr_t)p + 4];
#endif
    }
    return blocks;
}

/* Executions of each line of a kernel: of its most executed basic block. */
std::map<place, line_count> count_lines(const kernel_counts &k) {
    static const auto &all = *new std::map<uintptr_t, uint64_t>(find_basic_blocks());
    static const auto &rows = *new std::vector<row>(read_line_table());
    std::map<uintptr_t, uint64_t> blocks = all;
    for (auto &e : k.executed)
        blocks[e.first] = e.second;
    std::map<place, line_count> lines;
    for (const row &r : rows) {
        auto next = blocks.upper_bound(r.address +
                                       5); /* the call at the start of a block has 4 or 5 bytes */
        if (next == blocks.begin() || std::prev(next)->second == 0 ||
            std::prev(next)->first < r.sequence)
            continue;
        line_count &l = lines[r.at];
        l.executions = std::max(l.executions, std::prev(next)->second);
    }
    return lines;
}

} // namespace

double estimate_instructions(const kernel_counts &k) {
    auto lines = count_lines(k);
    for (auto &a : k.instructions_at) {
        line_count &l = lines[place_of(a.first)];
        (!a.second.shared ? l.global
         : a.second.write ? l.shared_stores
                          : l.shared_loads) += a.second.words;
    }
    double sum = 0;
    for (const auto &[at, l] : lines) {
        bool arithmetic;
        int weight = weigh(text_at(at), &arithmetic);
        uint64_t operands = arithmetic ? std::min(l.shared_loads, l.executions) : 0;
        sum += (double)l.executions * weight + 2.0 * (double)l.global +
               (double)(l.shared_stores + l.shared_loads - operands);
    }
    return sum;
}

} // namespace cudacpu::inspect
