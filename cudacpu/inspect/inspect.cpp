/* inspect.cpp - the report of an observed program: traffic, faults, predicted times; as text and as
 * JSON. */
#include "cudacpu/inspect.h"
#include "observe.h"
#include <algorithm>
#include <cctype>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern "C" char __executable_start, etext; /* by the linker: the program's own image */
extern "C" void __sanitizer_cov_trace_pc();

namespace cudacpu {
void tell_leaks();

/* ---- places ---- */

place place_of(uintptr_t pc, bool is_return_address) {
    static std::mutex one;
    static auto &known = *new std::map<uintptr_t, place>(); /* the report comes after destructors */
    std::lock_guard<std::mutex> guard(one);
    auto found = known.find(pc);
    if (found != known.end())
        return found->second;
    static pid_t child;
    static const int addr2line = start_addr2line(&child); /* it ends with this process */
    char text[4200];
    ask_addr2line(addr2line, (void *)pc, is_return_address, text, sizeof text);
    place p = {text, 0};
    size_t colon = p.file.rfind(':');
    if (colon != std::string::npos) {
        p.line = atoi(p.file.c_str() + colon + 1);
        p.file.resize(colon);
    }
    return known[pc] = p;
}

std::string text_at(const place &p) {
    FILE *file = p.line > 0 ? fopen(p.file.c_str(), "r") : nullptr;
    char *line = nullptr;
    size_t room = 0;
    std::string text;
    for (int i = 0; file && i < p.line && getline(&line, &room, file) >= 0; i++)
        text = line;
    free(line);
    if (file)
        fclose(file);
    while (!text.empty() && isspace((unsigned char)text.back()))
        text.pop_back();
    return text;
}

namespace {

inspect_facts facts;
FILE *json;
double began;

double seconds() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - began;
}
double megabytes() {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1000;
}
bool row_wanted;

/* ---- cards: a reader can add one ---- */

struct card {
    const char *name;
    double bandwidth; /* bytes per second that kernels reach */
    double multiprocessors, warp_instructions,
        clock; /* warp instructions per cycle and multiprocessor */
    double instructions() const {
        return multiprocessors * warp_instructions * 32 * clock;
    } /* per second, of threads */
};

/* GeForce 8800GT: 57.6 GB/s, of which step 05 reached the share that moves its 4.036 GB in the
 * article's 0.09 s; the rest of the article's 0.125 s for that step is transfer and allocation. No
 * other figure of the article is used. */
const double STEP_05_BYTES = 4.036e9, STEP_05_KERNEL = 0.09, STEP_05_TOTAL = 0.125;
const card ARTICLE = {"GeForce 8800GT", STEP_05_BYTES / STEP_05_KERNEL, 14, 0.25, 1.5e9};
const double TRANSFER = STEP_05_TOTAL - STEP_05_KERNEL;
/* H200: copy bandwidth as measured; the clock at which its measured 65.3 TFLOP/s are two operations
 * per core. */
const card H200 = {"H200", 4.27e12, 132, 4, 1.93e9};

/* ---- instructions, from the executions of each source line ---- */

struct row {
    uintptr_t address, sequence; /* where the stretch of code begins that it is in */
    std::string file;
    int line;
};

/* The program's line table. */
std::vector<row> line_table() {
    std::vector<row> rows;
    char command[4300], program[4096], text[8192], name[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    snprintf(command, sizeof command, "objdump --dwarf=decodedline '%s' 2>/dev/null", program);
    FILE *pipe = popen(command, "r");
    std::string file;
    uintptr_t base = program_base(), sequence = 0;
    while (pipe && fgets(text, sizeof text, pipe)) {
        unsigned long long address;
        int line;
        char dash[2];
        size_t end = strcspn(text, "\n");
        if (sscanf(text, "%4095s %d %llx", name, &line, &address) == 3) {
            sequence = sequence ? sequence : base + (uintptr_t)address;
            if (file.find("cudacpu/") != std::string::npos || file.compare(0, 5, "/usr/") == 0)
                continue;
            rows.push_back({base + (uintptr_t)address, sequence, file, line});
        } else if (sscanf(text, "%4095s %1[-] %llx", name, dash, &address) == 3) {
            sequence = 0;
        } else if (end > 1 && text[end - 1] == ':') {
            file.assign(text, end - 1);
            if (file.compare(0, 4, "CU: ") == 0)
                file.erase(0, 4);
        }
    }
    if (pipe)
        pclose(pipe);
    return rows;
}

/* Instructions of one execution of a line, by what a compiler for a GPU makes of its text: one for
 * each arithmetic operator outside of an index (indices become pointers that are advanced once a
 * loop), each comparison and each choice
 * (&&, ||, ?:); three for a loop's test, branch and increment, none where its bound is a constant,
 * since such a loop is unrolled; one for a barrier. Accesses are counted where they happen: two for
 * one of global memory (with its address), one for one of shared memory, but an arithmetic
 * instruction takes one operand from shared memory for free (compute capability 1.1). The same for
 * every step. */
int weigh(std::string text, bool *arithmetic) {
    size_t comment = std::min(text.find("//"), text.find("/*"));
    if (comment != std::string::npos)
        text.resize(comment);
    *arithmetic = false;
    size_t loop = text.find("for (");
    if (loop == std::string::npos)
        loop = text.find("while (");
    if (loop != std::string::npos) {
        size_t test = text.find(';', loop),
               less = text.find('<', test == std::string::npos ? loop : test);
        while (less != std::string::npos && ++less < text.size() &&
               (text[less] == ' ' || text[less] == '='))
            less++, less--;
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
        if (strchr("+-*/%", c) && !((c == '+' || c == '-') && (after == c || after == '>'))) {
            weight++;
            *arithmetic = true;
        } else if (c == '<' || c == '>' || c == '?') {
            weight++;
        } else if ((c == '&' || c == '|' || c == '=') && after == c) {
            weight++;
        } else if (c == '!' && after == '=') {
            weight++;
        }
    }
    return weight;
}

struct line_count {
    uint64_t executions = 0, global = 0, shared_loads = 0, shared_stores = 0;
};

/* Every basic block's landmark: the return address of its call of __sanitizer_cov_trace_pc; 0
 * executions to begin with.
 */
std::map<uintptr_t, uint64_t> basic_blocks() {
    std::map<uintptr_t, uint64_t> blocks;
    const unsigned char *from = (const unsigned char *)&__executable_start,
                        *to = from + (&etext - &__executable_start) - 8;
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
std::map<std::pair<std::string, int>, line_count> lines_of(const kernel_counts &k) {
    static const auto &all = *new std::map<uintptr_t, uint64_t>(basic_blocks());
    static const auto &rows = *new std::vector<row>(line_table());
    std::map<uintptr_t, uint64_t> blocks = all;
    for (auto &e : k.executed)
        blocks[e.first] = e.second;
    std::map<std::pair<std::string, int>, line_count> lines;
    for (const row &r : rows) {
        auto next = blocks.upper_bound(r.address +
                                       5); /* the call at the start of a block has 4 or 5 bytes */
        if (next == blocks.begin() || std::prev(next)->second == 0 ||
            std::prev(next)->first < r.sequence)
            continue;
        line_count &l = lines[{r.file, r.line}];
        l.executions = std::max(l.executions, std::prev(next)->second);
    }
    return lines;
}

double instructions_of(const kernel_counts &k) {
    auto lines = lines_of(k);
    for (auto &a : k.instructions_at) {
        place p = place_of(a.first, true);
        line_count &l = lines[{p.file, p.line}];
        (!a.second.shared ? l.global
         : a.second.write ? l.shared_stores
                          : l.shared_loads) += a.second.words;
    }
    double sum = 0;
    for (auto &entry : lines) {
        const line_count &l = entry.second;
        bool arithmetic;
        int weight = weigh(text_at({entry.first.first, entry.first.second}), &arithmetic);
        uint64_t operands = arithmetic ? std::min(l.shared_loads, l.executions) : 0;
        sum += (double)l.executions * weight + 2.0 * (double)l.global +
               (double)(l.shared_stores + l.shared_loads - operands);
        if (l.executions && getenv("CUDACPU_INSPECT_LINES"))
            fprintf(
                stderr,
                "%s:%d: %llu executions, weight %d, global %llu, shared loads %llu stores %llu\n",
                entry.first.first.c_str(), entry.first.second, (unsigned long long)l.executions,
                weight, (unsigned long long)l.global, (unsigned long long)l.shared_loads,
                (unsigned long long)l.shared_stores);
    }
    return sum;
}

/* ---- text ---- */

std::string grouped(uint64_t value) { return std::to_string(value); }

void line(FILE *out, const char *what, const traffic &t) {
    if (!t.requests)
        return;
    fprintf(out, "  %-22s %14s %13s %13s %13s %8.2f %16s\n", what, grouped(t.words).c_str(),
            grouped(t.requests).c_str(), grouped(t.sectors).c_str(), grouped(t.lines).c_str(),
            (double)t.sectors / (double)t.requests, grouped(t.sectors * 32).c_str());
}
void shared_line(FILE *out, const char *what, const traffic &t) {
    if (t.requests)
        fprintf(out, "  %-22s %14s %13s %13s %13s\n", what, grouped(t.words).c_str(),
                grouped(t.requests).c_str(), grouped(t.wavefronts).c_str(),
                grouped(t.wavefronts - t.ideal).c_str());
}

std::string dims(dim3 d) {
    std::string s = "(" + std::to_string(d.x);
    if (d.y > 1 || d.z > 1)
        s += "," + std::to_string(d.y);
    if (d.z > 1)
        s += "," + std::to_string(d.z);
    return s + ")";
}

struct prediction {
    double bytes_seconds, instruction_seconds, kernel, total;
    double h200_no_cache, h200_perfect_cache;
};

prediction predict(const kernel_counts &k) {
    prediction p;
    both_ways g = k.global();
    double instructions = k.instructions;
    uint64_t touched = 0, sectors = g.load.sectors + g.store.sectors + g.atomic.sectors;
    for (auto &t : k.touched)
        touched += t.second;
    p.bytes_seconds =
        (double)(g.load.bytes_1_1 + g.store.bytes_1_1 + g.atomic.bytes_1_1) / ARTICLE.bandwidth;
    p.instruction_seconds = instructions / ARTICLE.instructions();
    p.kernel = std::max(p.bytes_seconds, p.instruction_seconds);
    p.total = p.kernel + TRANSFER;
    double h200_instructions = instructions / H200.instructions();
    p.h200_no_cache = std::max(32.0 * (double)sectors / H200.bandwidth, h200_instructions);
    p.h200_perfect_cache = std::max(4.0 * (double)touched / H200.bandwidth, h200_instructions);
    return p;
}

void print_kernel(const kernel_counts &k) {
    both_ways g = k.global();
    printf("\n%s<<<%s, %s>>>: %s launch%s, %s blocks, %s threads\n", k.name.c_str(),
           dims(k.grid).c_str(), dims(k.block).c_str(), grouped(k.launches).c_str(),
           k.launches == 1 ? "" : "es", grouped(k.blocks).c_str(), grouped(k.threads).c_str());
    if (!k.by_matrix.empty())
        printf("  %-22s %14s %13s %13s %13s %8s %16s\n", "global memory", "words", "requests",
               "sectors", "128-B lines", "sect/req", "bytes (sectors)");
    line(stdout, "load", g.load);
    for (auto &m : k.by_matrix)
        line(stdout, ("  " + m.first).c_str(), m.second.load);
    line(stdout, "store", g.store);
    for (auto &m : k.by_matrix)
        line(stdout, ("  " + m.first).c_str(), m.second.store);
    line(stdout, "atomic", g.atomic);
    if (k.shared.load.requests + k.shared.store.requests + k.shared.atomic.requests)
        printf("  %-22s %14s %13s %13s %13s\n", "shared memory", "words", "requests", "wavefronts",
               "conflicts");
    shared_line(stdout, "load", k.shared.load);
    shared_line(stdout, "store", k.shared.store);
    shared_line(stdout, "atomic", k.shared.atomic);
    if (k.symbols.load.requests + k.symbols.store.requests + k.symbols.atomic.requests)
        printf("  program variables (__constant__, __device__): %s words loaded, %s stored\n",
               grouped(k.symbols.load.words).c_str(), grouped(k.symbols.store.words).c_str());
    printf("  barriers: %s (each of a whole block)\n", grouped(k.barriers).c_str());
    if (facts.formula && observed().kernels.size() == 1)
        printf("  global loads by formula: %s = %.0f words; counted: %s (%+.2f %%)\n",
               facts.formula, facts.loads, grouped(g.load.words).c_str(),
               100 * ((double)g.load.words / facts.loads - 1));
    prediction p = predict(k);
    printf("  %s, predicted: kernel %.4f s (memory %.4f, instructions %.4f: the larger), with "
           "transfer %.4f s",
           ARTICLE.name, p.kernel, p.bytes_seconds, p.instruction_seconds, p.total);
    if (facts.flop > 0)
        printf(", %.2f GFLOPS", 1e-9 * facts.flop / p.total);
    printf("\n");
    if (facts.total_seconds > 0) {
        printf("  %s, the article:  ", ARTICLE.name);
        if (facts.kernel_seconds > 0)
            printf("kernel %.4f s, ", facts.kernel_seconds);
        printf("total %.4f s, %.2f GFLOPS\n", facts.total_seconds,
               1e-9 * facts.flop / facts.total_seconds);
    }
    printf("  %s, bounds: kernel at least %.6f s with a perfect cache, %.6f s with none\n",
           H200.name, p.h200_perfect_cache, p.h200_no_cache);
}

void print_faults() {
    for (auto &f : observed().faults) {
        printf("fault: %s: ", f.kind.c_str());
        if (f.line)
            printf("%s:%d: ", f.file.c_str(), f.line);
        if (!f.kernel.empty())
            printf("kernel %s", f.kernel.c_str());
        if (!f.block.empty())
            printf(" block %s", f.block.c_str());
        if (!f.thread.empty())
            printf(" thread %s", f.thread.c_str());
        printf("%s%s", f.kernel.empty() ? "" : ": ", f.message.c_str());
        if (!f.address.empty())
            printf(" (address %s)", f.address.c_str());
        if (f.count > 1)
            printf(" (%s times)", grouped(f.count).c_str());
        printf("\n");
    }
}

/* ---- JSON ---- */

std::string quoted(const std::string &text) {
    std::string s = "\"";
    for (unsigned char c : text) {
        char escape[8];
        if (c == '"' || c == '\\') {
            s += '\\';
            s += (char)c;
        } else if (c < 32) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            s += escape;
        } else {
            s += (char)c;
        }
    }
    return s + "\"";
}
std::string global_json(const traffic &t) {
    return "{\"words\": " + std::to_string(t.words) +
           ", \"requests\": " + std::to_string(t.requests) +
           ", \"sectors\": " + std::to_string(t.sectors) +
           ", \"lines\": " + std::to_string(t.lines) + "}";
}
std::string shared_json(const traffic &t) {
    return "{\"words\": " + std::to_string(t.words) +
           ", \"requests\": " + std::to_string(t.requests) +
           ", \"wavefronts\": " + std::to_string(t.wavefronts) +
           ", \"conflicts\": " + std::to_string(t.wavefronts - t.ideal) + "}";
}
std::string counts_json(const kernel_counts &k) {
    both_ways g = k.global();
    std::string s = "\"kernel\": " + quoted(k.name) + ", \"n\": " + std::to_string(facts.n);
    s += ", \"launches\": " + std::to_string(k.launches) +
         ", \"global\": {\"load\": " + global_json(g.load) +
         ", \"store\": " + global_json(g.store) + ", \"atomic\": " + global_json(g.atomic) +
         ", \"by_matrix\": {";
    bool first = true;
    for (auto &m : k.by_matrix) {
        s += std::string(first ? "" : ", ") + quoted(m.first) +
             ": {\"load\": " + global_json(m.second.load) +
             ", \"store\": " + global_json(m.second.store) + "}";
        first = false;
    }
    s += "}}, \"shared\": {\"load\": " + shared_json(k.shared.load) +
         ", \"store\": " + shared_json(k.shared.store) + "}";
    s += ", \"barriers\": " + std::to_string(k.barriers);
    prediction p = predict(k);
    char model[600];
    snprintf(model, sizeof model,
             ", \"model\": {\"instructions\": %.0f, \"bytes_1_1\": %llu, \"8800GT\": "
             "{\"memory_s\": %.6f, "
             "\"instructions_s\": %.6f, "
             "\"kernel_s\": %.6f, \"total_s\": %.6f}, \"H200\": {\"no_cache_s\": %.9f, "
             "\"perfect_cache_s\": %.9f}, "
             "\"article\": "
             "{\"kernel_s\": %g, \"total_s\": %g}}",
             k.instructions,
             (unsigned long long)(g.load.bytes_1_1 + g.store.bytes_1_1 + g.atomic.bytes_1_1),
             p.bytes_seconds, p.instruction_seconds, p.kernel, p.total, p.h200_no_cache,
             p.h200_perfect_cache, facts.kernel_seconds, facts.total_seconds);
    return s + model;
}

void write_json(const kernel_counts &all) {
    auto &o = observed();
    std::string s = "{" +
                    (facts.name ? "\"program\": " + quoted(facts.name) + ", " : std::string()) +
                    counts_json(all) + ", \"faults\": [";
    for (size_t i = 0; i < o.faults.size(); i++) {
        auto &f = o.faults[i];
        s += std::string(i ? ", " : "") + "{\"kind\": " + quoted(f.kind) +
             ", \"file\": " + quoted(f.file) + ", \"line\": " + std::to_string(f.line) +
             ", \"kernel\": " + quoted(f.kernel) + ", \"block\": " + quoted(f.block) +
             ", \"thread\": " + quoted(f.thread) + ", \"address\": " + quoted(f.address) +
             ", \"message\": " + quoted(f.message) + ", \"other\": " + quoted(f.other) +
             ", \"count\": " + std::to_string(f.count) + "}";
    }
    char cost[100];
    snprintf(cost, sizeof cost, ", \"observed_s\": %.2f, \"observed_MB\": %.0f", seconds(),
             megabytes());
    s += "], \"approximate\": " + std::string(o.approximate ? "true" : "false") +
         ", \"sampled\": " + (o.sampled ? "true" : "false") + cost;
    if (o.kernels.size() > 1) {
        s += ", \"kernels\": [";
        for (size_t i = 0; i < o.kernels.size(); i++)
            s += std::string(i ? ", " : "") + "{" + counts_json(o.kernels[i]) + "}";
        s += "]";
    }
    fprintf(json, "%s}\n", s.c_str());
    if (fclose(json) != 0)
        fprintf(stderr, "inspect: the JSON file could not be written\n");
}

void print_row(const kernel_counts &all) {
    both_ways g = all.global();
    prediction p = predict(all);
    printf("%-18s %12s %11s %11s %11s %11s %11s %9s %8.4f %8s %6zu\n",
           facts.name ? facts.name : all.name.c_str(), grouped(g.load.words).c_str(),
           grouped(g.load.requests).c_str(), grouped(g.load.sectors).c_str(),
           grouped(g.load.lines).c_str(), grouped(g.store.sectors).c_str(),
           grouped(all.shared.load.wavefronts).c_str(), grouped(all.barriers).c_str(), p.total,
           facts.total_seconds > 0 ? std::to_string(facts.total_seconds).substr(0, 6).c_str() : "-",
           observed().faults.size());
}

bool reported;

void report() {
    if (reported)
        return;
    reported = true;
    tell_leaks();
    auto &o = observed();
    kernel_counts all;
    for (auto &k : o.kernels) {
        k.instructions = instructions_of(k);
        all.instructions += k.instructions;
        all.name += (all.name.empty() ? "" : ", ") + k.name;
        all.launches += k.launches, all.blocks += k.blocks, all.threads += k.threads,
            all.barriers += k.barriers;
        for (auto &m : k.by_matrix)
            all.by_matrix[m.first] += m.second;
        for (auto &t : k.touched)
            all.touched[t.first] += t.second;
        all.shared += k.shared;
        all.symbols += k.symbols;
    }
    if (row_wanted) {
        print_row(all);
        fflush(stdout);
        fflush(stderr);
    } else {
        for (auto &k : o.kernels)
            print_kernel(k);
        if (o.approximate)
            printf("Requests are approximate: a warp's threads made more than %u accesses without "
                   "a barrier.\n",
                   1u << 22);
        if (!o.kernels.empty() || !o.faults.empty()) {
            printf("\n%s\n", o.faults.empty() ? "No faults." : "Faults:");
            print_faults();
            printf("Observed in %.1f s with %.0f MB of memory; %s.\n", seconds(), megabytes(),
                   o.sampled ? "not every block was observed: the counts are those of the observed "
                               "ones, scaled to all"
                             : "no block was left out");
        }
    }
    if (json)
        write_json(all);
    fflush(stdout);
}

void at_exit(int status, void *) {
    report();
    fflush(nullptr);
    _exit(observed().faults.empty() ? status : 1);
}

} // namespace

void report_and_end() { report(); }
void report_at_exit() {
    began = seconds();
    on_exit(at_exit, nullptr);
}

} // namespace cudacpu

extern "C" void tell_inspect(const inspect_facts *f) { cudacpu::facts = *f; }

/* The program's main, with inspect's own options taken out of its command line. */
extern "C" int __real_main(int argc, char **argv, char **environment);
extern "C" int __wrap_main(int argc, char **argv, char **environment) {
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            if (++i == argc) {
                fprintf(stderr, "inspect: --json needs a file name\n");
                _exit(2);
            }
            cudacpu::json = fopen(argv[i], "w");
            if (!cudacpu::json) {
                fprintf(stderr, "inspect: --json %s: the file cannot be written\n", argv[i]);
                _exit(2);
            }
        } else if (strcmp(argv[i], "--row") == 0) {
            cudacpu::row_wanted = true;
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = nullptr;
    cudacpu::report_at_exit();
    return __real_main(kept, argv, environment);
}
