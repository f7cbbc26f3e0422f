/* rewrite.cpp - turns preprocessed CUDA (standard input) into C++ (standard output), line for line.
 * It touches only what C++ cannot parse: launches, shared memory, __global__ and __noinline__. What
 * a GPU alone can do, and what nvcc would refuse but a C++ compiler takes, ends with a sentence. */
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

enum kind { IDENTIFIER, NUMBER, STRING, PUNCTUATION, END };

struct token {
    kind what;
    size_t begin, end; /* in the text */
};

std::string text;
std::vector<token> tokens;
std::map<size_t, std::pair<size_t, std::string>> edits; /* begin -> (end, replacement) */

std::string at(size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : "";
}
bool is(size_t i, const char *word) {
    return i < tokens.size() && text[tokens[i].begin] == word[0] &&
           text.compare(tokens[i].begin, tokens[i].end - tokens[i].begin, word) == 0;
}
bool identifier(size_t i) { return i < tokens.size() && tokens[i].what == IDENTIFIER; }

/* A replacement keeps the line breaks of what it replaces, so that all that follows stays on its
 * line. */
void replace(size_t begin, size_t end, std::string with) {
    for (size_t i = begin; i < end; i++)
        if (text[i] == '\n')
            with += '\n';
    edits[begin] = {end, with};
}
void replace_token(size_t i, const std::string &with) {
    replace(tokens[i].begin, tokens[i].end, with);
}

bool word_start(char c) {
    return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}
bool digit(char c) { return c >= '0' && c <= '9'; }

void split() {
    size_t i = 0, n = text.size();
    bool line_start = true;
    while (i < n) {
        char c = text[i];
        if (c == '\n') {
            line_start = true;
            i++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            i++;
        } else if (c == '#' && line_start) { /* a line marker or a pragma */
            while (i < n && text[i] != '\n')
                i++;
        } else {
            size_t begin = i;
            kind what = PUNCTUATION;
            line_start = false;
            if (word_start(c)) {
                while (i < n && (word_start(text[i]) || digit(text[i])))
                    i++;
                what = IDENTIFIER;
                std::string prefix = text.substr(begin, i - begin);
                bool raw = prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" ||
                           prefix == "u8R";
                if (raw && i < n && text[i] == '"') {
                    size_t open = text.find('(', i);
                    std::string close = ")" + text.substr(i + 1, open - i - 1) + "\"";
                    size_t end = text.find(close, open);
                    i = end == std::string::npos ? n : end + close.size();
                    what = STRING;
                }
            } else if (digit(c) || (c == '.' && i + 1 < n && digit(text[i + 1]))) {
                while (i < n && (word_start(text[i]) || digit(text[i]) || text[i] == '.' ||
                                 text[i] == '\'' ||
                                 ((text[i] == '+' || text[i] == '-') &&
                                  (text[i - 1] == 'e' || text[i - 1] == 'E' || text[i - 1] == 'p' ||
                                   text[i - 1] == 'P'))))
                    i++;
                what = NUMBER;
            } else if (c == '"' || c == '\'') {
                for (i++; i < n && text[i] != c && text[i] != '\n'; i++)
                    if (text[i] == '\\')
                        i++;
                i++;
                what = STRING;
            } else if (c == ':' && i + 1 < n && text[i + 1] == ':') {
                i += 2;
            } else if (c == '-' && i + 1 < n && text[i + 1] == '>') {
                i += 2;
            } else {
                i++;
            }
            tokens.push_back({what, begin, i});
        }
    }
}

/* File and line of a place in the text, by the line markers before it. */
std::string place(size_t offset) {
    std::string file = "?";
    long line = 1;
    for (size_t i = 0; i < offset;) {
        size_t end = text.find('\n', i);
        if (end == std::string::npos || end >= offset)
            break;
        if (text[i] == '#' && i + 2 < end && digit(text[i + 2])) {
            line = std::stol(text.substr(i + 2));
            size_t quote = text.find('"', i), close = text.find('"', quote + 1);
            if (quote < end && close < end)
                file = text.substr(quote + 1, close - quote - 1);
        } else {
            line++;
        }
        i = end + 1;
    }
    return file + ":" + std::to_string(line);
}

[[noreturn]] void fail(size_t i, const std::string &message) {
    std::cerr << place(i < tokens.size() ? tokens[i].begin : text.size()) << ": error: " << message
              << "\n";
    std::exit(1);
}

/* The token that opens what token i closes. A > between brackets closes nothing: k<(9 > 8 ? 5 :
 * 6)>. */
size_t match_back(size_t i, const char *open, const char *close) {
    int depth = 0;
    for (;; i--) {
        if (*open == '<' && is(i, ")"))
            i = match_back(i, "(", ")");
        else if (is(i, close))
            depth++;
        else if (is(i, open) && --depth == 0)
            return i;
        if (i == 0)
            fail(i, "no kernel name before <<<");
    }
}
size_t match(size_t i, const char *open, const char *close) {
    int depth = 0;
    for (size_t j = i; j < tokens.size(); j++) {
        if (is(j, open))
            depth++;
        else if (is(j, close) && --depth == 0)
            return j;
    }
    fail(i, std::string("no ") + close + " for this " + open);
}

/* The first token of the kernel's name, which ends before token i: a, a::b, a<int>, (*pointer),
 * table[i]. */
size_t name_begin(size_t i) {
    for (i--;;) {
        if (is(i, ">"))
            i = match_back(i, "<", ">") - 1;
        while (is(i, "]"))
            i = match_back(i, "[", "]") - 1;
        if (is(i, ")"))
            return match_back(i, "(", ")");
        if (!identifier(i))
            fail(i, "no kernel name before <<<");
        if (i > 0 && is(i - 1, "::")) {
            if (i > 1 && (identifier(i - 2) || is(i - 2, ">")) && !is(i - 2, "return") &&
                !is(i - 2, "else")) {
                i -= 2;
                continue;
            }
            return i - 1;
        }
        return i;
    }
}

/* Names that say what is not provided; a * stands for any ending. */
const char *const NOT_PROVIDED[] = {"cudaGraph*",
                                    "cudaStreamBeginCapture",
                                    "cudaStreamEndCapture",
                                    "cudaLaunchKernel*",
                                    "cudaLaunchCooperativeKernel",
                                    "cudaLaunchHostFunc",
                                    "cudaTextureObject_t",
                                    "cudaTextureDesc",
                                    "cudaCreateTextureObject",
                                    "tex1D",
                                    "tex1Dfetch",
                                    "tex2D",
                                    "tex2DLod",
                                    "tex3D",
                                    "cudaSurfaceObject_t",
                                    "cudaCreateSurfaceObject",
                                    "surf2Dread",
                                    "surf2Dwrite",
                                    "cudaArray",
                                    "cudaArray_t",
                                    "cudaMallocArray",
                                    "cudaMemcpyToArray",
                                    "cudaMemcpy2DToArray",
                                    "cudaHostRegister",
                                    "cudaMalloc3D*",
                                    "cudaMemcpy3D*",
                                    "cudaMemcpyPeer*",
                                    "cudaMemPrefetchAsync",
                                    "cudaMemPool_t",
                                    "cudaIpc*",
                                    "cudaOccupancyMax*",
                                    "__cluster_dims__",
                                    "__nanosleep"};

void check_provided(size_t i) {
    const std::string word = at(i);
    for (const char *name : NOT_PROVIDED) {
        if (name[0] != word[0])
            continue;
        const size_t length = std::strlen(name);
        if (name[length - 1] == '*' ? word.compare(0, length - 1, name, length - 1) == 0
                                    : word == name)
            fail(i, "cudacpu does not provide " + word + ": it needs nvcc and a GPU");
    }
    if (word == "texture" && is(i + 1, "<"))
        fail(i, "cudacpu does not provide textures: they need nvcc and a GPU");
}

/* asm in a function: PTX is known by its types and states. */
void check_assembly(size_t i) {
    size_t j = i + 1;
    while (is(j, "volatile") || is(j, "__volatile__"))
        j++;
    for (j++; j < tokens.size() && tokens[j].what == STRING; j++)
        for (const char *word : {".u32", ".s32", ".b32", ".f32", ".u64", ".s64", ".b64", ".f64",
                                 ".b16", ".f16", ".sync", ".shared", ".global"})
            if (at(j).find(word) != std::string::npos)
                fail(i,
                     "cudacpu does not provide PTX, the GPU's assembly: it needs nvcc and a GPU");
}

/* Is token i, a kernel's name, called like any function? A launch has <<< there, a declaration a
 * type before it. */
bool called(size_t i) {
    size_t next = i + 1;
    if (is(next, "<") && !is(next + 1, "<")) { /* k<float>(...) */
        int depth = 0;
        for (; next < tokens.size() && !is(next, ";"); next++) {
            if (is(next, "("))
                next = match(next, "(", ")");
            else if (is(next, "<"))
                depth++;
            else if (is(next, ">") && --depth == 0)
                break;
        }
        next++;
    }
    if (!is(next, "(") || i == 0)
        return false;
    if (is(i - 1, ")")) {
        size_t open = match_back(i - 1, "(", ")");
        return open > 0 && (is(open - 1, "if") || is(open - 1, "for") || is(open - 1, "while"));
    }
    for (const char *before : {";", "{", "}", "else", "do", "return", ":"})
        if (is(i - 1, before))
            return true;
    return false;
}

void null_argument(size_t first, size_t last) {
    if (first != last)
        return;
    if (is(first, "0"))
        replace_token(first, "::cudacpu::zero()");
    else if (is(first, "__null") || is(first, "NULL"))
        replace_token(first, "nullptr");
}

/* name<<<configuration>>>(arguments); i is the first <. */
void launch(size_t i) {
    size_t begin = name_begin(i);
    std::string name = text.substr(tokens[begin].begin, tokens[i].begin - tokens[begin].begin);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\n' || name.back() == '\t'))
        name.pop_back();
    std::string flat, quoted;
    bool marker = false;
    for (char c : name) {
        if (c == '\n')
            flat += ' ';
        else if (c == '#' && (flat.empty() || flat.back() == ' '))
            marker = true;
        else
            flat += c;
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    if (marker)
        fail(i, "cudacpu wants a kernel's name without preprocessor lines in it");
    int depth = 0, commas = 0;
    size_t close = i + 3;
    for (;; close++) {
        if (close >= tokens.size() || is(close, ";"))
            fail(i, "no >>> for this <<<");
        if (is(close, "(") || is(close, "[") || is(close, "{"))
            depth++;
        else if (is(close, ")") || is(close, "]") || is(close, "}"))
            depth--;
        else if (depth == 0 && is(close, ">") && is(close + 1, ">") && is(close + 2, ">") &&
                 is(close + 3, "("))
            break;
        commas += depth == 0 && is(close, ",");
    }
    if (commas == 0)
        fail(i, "a launch needs a grid and a block: " + flat + "<<<grid, block>>>(...)");
    size_t open = close + 3, end = match(open, "(", ")");
    replace(tokens[begin].begin, tokens[i].begin, "::cudacpu::launcher(\"" + quoted + "\").");
    replace(tokens[i].begin, tokens[i + 2].end, "configure(");
    replace(tokens[close].begin, tokens[close + 2].end, ")");
    std::string functions =
        "([&](auto cudacpu_get) -> decltype(cudacpu_get(" + flat + ")) { return cudacpu_get(" +
        flat + "); }, [&](auto... cudacpu_arguments) { " + flat + "(cudacpu_arguments...); }";
    replace_token(open, functions + (end > open + 1 ? ", " : ""));
    size_t first = open + 1;
    depth = 0;
    for (size_t j = open + 1; j <= end; j++) {
        if ((is(j, ",") && depth == 0) || j == end) {
            if (j > first)
                null_argument(first, j - 1);
            first = j + 1;
        } else if (is(j, "(") || is(j, "[") || is(j, "{")) {
            depth++;
        } else if (is(j, ")") || is(j, "]") || is(j, "}")) {
            depth--;
        }
    }
}

/* extern __shared__ T x[]...; from token i (extern) on; inside tells a function's scope from a
 * namespace's. */
void dynamic_shared(size_t i, size_t shared, bool inside) {
    std::string type;
    size_t name = 0, j = i;
    for (;; j++) {
        if (j >= tokens.size() || is(j, ";") || is(j, "="))
            fail(
                i,
                "extern __shared__ declares an array without a size: extern __shared__ float x[];");
        if (is(j, "["))
            break;
        if (is(j, "__attribute__")) {
            j = match(j + 1, "(", ")");
            continue;
        }
        if (j == i || j == shared)
            continue;
        if (name)
            type += at(name) + " ";
        name = j;
    }
    size_t end = j;
    while (!is(end, ";"))
        end++;
    if (!is(j + 1, "]"))
        fail(i, "extern __shared__ declares an array without a size: extern __shared__ float x[];");
    std::string bounds = text.substr(tokens[j].begin, tokens[end].begin - tokens[j].begin);
    std::string more = text.substr(tokens[j + 1].end, tokens[end].begin - tokens[j + 1].end);
    replace(tokens[i].begin, tokens[end].begin,
            inside ? type + "(&" + at(name) + ")" + bounds + " = *reinterpret_cast<" + type +
                         "(*)" + bounds + ">(cudacpu_dynamic_shared)"
                   : "static const ::cudacpu::dynamic_array<" + type + more + "> " + at(name));
}

bool opens_namespace(size_t i) { /* the brace at token i */
    if (i == 0)
        return false;
    size_t j = i - 1;
    if (tokens[j].what == STRING)
        return j > 0 && is(j - 1, "extern");
    while (j > 0 && (is(j, "::") || (identifier(j) && !is(j, "namespace"))))
        j--;
    return is(j, "namespace");
}

void rewrite() {
    std::vector<bool> scopes; /* true: a namespace */
    std::set<std::string> kernels;
    size_t functions = 0; /* open braces that are no namespaces */
    for (size_t i = 0; i < tokens.size(); i++) {
        if (is(i, "{")) {
            scopes.push_back(opens_namespace(i));
            functions += !scopes.back();
        } else if (is(i, "}") && !scopes.empty()) {
            functions -= !scopes.back();
            scopes.pop_back();
        } else if (is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && i > 0 &&
                   !is(i - 1, "operator")) {
            launch(i);
            i += 2;
        } else if (is(i, "__global__")) {
            replace_token(i, "");
            for (size_t j = i + 1; j < tokens.size() && !is(j, ";") && !is(j, "{"); j++) {
                if (is(j, "__attribute__"))
                    j = match(j + 1, "(", ")");
                else if (identifier(j) && is(j + 1, "(")) {
                    check_provided(j);
                    kernels.insert(at(j));
                    break;
                }
            }
        } else if (is(i, "extern")) {
            size_t j = i + 1;
            while (is(j, "__attribute__") || is(j, "volatile"))
                j = is(j, "volatile") ? j + 1 : match(j + 1, "(", ")") + 1;
            if (is(j, "__shared__")) {
                dynamic_shared(i, j, functions > 0);
                while (!is(i, ";"))
                    i++;
            }
        } else if (is(i, "__shared__")) {
            if (is(i + 1, "extern")) {
                dynamic_shared(i, i + 1, functions > 0);
                while (!is(i, ";"))
                    i++;
            } else {
                for (size_t j = i + 1; j < tokens.size() && !is(j, ";"); j++) {
                    if (is(j, "["))
                        j = match(j, "[", "]");
                    else if (is(j, "("))
                        j = match(j, "(", ")");
                    else if (is(j, "=") && !is(j + 1, "=") && !is(j - 1, "=") && !is(j - 1, "<") &&
                             !is(j - 1, ">") && !is(j - 1, "!"))
                        fail(j, "a __shared__ variable has no initial value: let a thread of the "
                                "block assign it");
                }
                replace_token(i, i > 0 && is(i - 1, "static") ? "__thread"
                                 : is(i + 1, "static")        ? ""
                                                              : "static __thread");
                if (is(i + 1, "static"))
                    replace_token(i + 1, "static __thread");
            }
        } else if (is(i, "__noinline__") && i > 0 && !is(i - 1, "(") && !is(i - 1, ",")) {
            replace_token(i, "__attribute__((noinline))");
        } else if (identifier(i) && kernels.count(at(i))) {
            if (called(i))
                fail(i, "a kernel must be launched: " + at(i) + "<<<grid, block>>>(...)");
        } else if (functions > 0 && (is(i, "asm") || is(i, "__asm__"))) {
            check_assembly(i);
        } else if (identifier(i)) {
            check_provided(i);
        }
    }
}

} // namespace

int main() {
    std::ios::sync_with_stdio(false);
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
    split();
    rewrite();
    std::string out;
    size_t from = 0;
    for (auto &edit : edits) {
        if (edit.first < from)
            continue;
        out.append(text, from, edit.first - from);
        out += edit.second.second;
        from = edit.second.first;
    }
    out.append(text, from, std::string::npos);
    std::cout << out;
    return 0;
}
