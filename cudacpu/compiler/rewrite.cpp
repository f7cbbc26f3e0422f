/* rewrite.cpp - turns preprocessed CUDA (standard input) into C++ (standard output), line for line.
 * It touches only what C++ cannot parse: launches, shared memory, __global__, __noinline__ and
 * PTX; the beginning of a kernel; and the variables of a device. */
#include "arch_branches.h"
#include "assembly.h"
#include "inlining.h"
#include "kernels.h"
#include "launches.h"
#include "local_arrays.h"
#include "polling.h"
#include "refusals.h"
#include "shared_memory.h"
#include "static_shared.h"
#include "template_arguments.h"
#include "tokens.h"
#include "unset_registers.h"
#include "variables.h"
#include "volatile_stores.h"
#include <cstring>
#include <iostream>
#include <iterator>

namespace {

bool opens_namespace(size_t i) { /* the brace at token i */
    if (i == 0)
        return false;
    size_t j = i - 1;
    if (tokens[j].kind == STRING)
        return j > 0 && is(j - 1, "extern");
    while (j > 0 && (is(j, "::") || (is_identifier(j) && !is(j, "namespace"))))
        j--;
    return is(j, "namespace");
}

/* Where the word stands in the declaration that token i begins, before a name's brackets; or 0. */
size_t find_word(size_t i, const char *word) {
    for (size_t j = i + 1; j < tokens.size(); j++) {
        if (is(j, word))
            return j;
        if (is(j, "__attribute__") || is(j, "alignas"))
            j = match(j + 1, "(", ")");
        else if (is(j, "(") || is(j, "[") || is(j, "{") || is(j, ";") || is(j, "="))
            break;
    }
    return 0;
}

void rewrite(bool observed) {
    find_templates();
    find_kernels();
    std::vector<bool> scopes; /* true: a namespace */
    size_t functions = 0;     /* open braces that are no namespaces */
    size_t body = 0;          /* the first of them, of a function or a class */
    size_t device = 0;        /* what scopes held before the function of the device around here */
    for (size_t i = 0; i < tokens.size(); i++) {
        if (observed && device && i > 0)
            rewrite_local_arrays(i, body);
        if (is(i, "{")) {
            if (!device && opens_device_code(i))
                device = scopes.size() + 1;
            scopes.push_back(opens_namespace(i));
            functions += !scopes.back();
            if (functions == 1 && !scopes.back())
                body = i;
        } else if (is(i, "}") && !scopes.empty()) {
            functions -= !scopes.back();
            scopes.pop_back();
            if (scopes.size() < device)
                device = 0;
        } else if (is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && i > 0 &&
                   !is(i - 1, "operator")) {
            if (device)
                fail(i, "a kernel that launches a kernel (dynamic parallelism) needs nvcc and a "
                        "GPU: with cudacpu the host launches both");
            rewrite_launch(i);
            i += 2;
        } else if (is(i, "__global__")) {
            rewrite_kernel(i);
        } else if (is_kernel_attribute(i)) {
            drop_kernel_attribute(i);
        } else if (is(i, "__host__")) {
            replace_token(i, "");
        } else if (is_space_word(i)) {
            rewrite_space_word(i);
        } else if (is(i, "extern") && find_word(i, "__shared__")) {
            i = rewrite_dynamic_shared(i, find_word(i, "__shared__"), functions > 0);
        } else if (is(i, "__shared__") && find_word(i, "extern")) {
            i = rewrite_dynamic_shared(i, find_word(i, "extern"), functions > 0);
        } else if (is(i, "__shared__")) {
            rewrite_static_shared(i);
        } else if (is(i, "__noinline__") && i > 0 && !is(i - 1, "(") && !is(i - 1, ",")) {
            replace_token(i, "__attribute__((noinline))");
        } else if (is(i, "volatile") && (device || opens_device_code(i))) {
            rewrite_volatile(i);
        } else if (functions > 0 && is_dynamic_array(i, body)) {
            rewrite_dynamic_use(i);
        } else if (is_kernel(i)) {
            check_called(i);
        } else if (functions > 0 && (is(i, "asm") || is(i, "__asm__") || is(i, "__asm"))) {
            if (rewrite_assembly(i))
                inline_around(i);
        } else if (functions > 0 && is_identifier(i) && is_inlined(i)) {
            inline_around(i);
        } else if (device && (is(i, "while") || is(i, "do") || is(i, "for"))) {
            rewrite_polling(i);
        } else if (device && is(i, "goto")) {
            rewrite_goto(i);
        } else if (is_launch_call(i)) {
            rewrite_launch_call(i);
        } else if (is_identifier(i)) {
            check_provided(i);
        }
    }
}

} // namespace

/* rewrite --observed: for inspect. rewrite --kernels SOURCE MACHINE: the compiler's assembly,
 * afterwards (static_shared.h). */
int main(int count, char **arguments) {
    std::ios::sync_with_stdio(false);
    if (count == 4 && strcmp(arguments[1], "--kernels") == 0)
        return !write_kernel_table(arguments[2], strncmp(arguments[3], "x86_64", 6) == 0);
    const bool observed = count == 2 && strcmp(arguments[1], "--observed") == 0;
    read_tokens(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    warn_of_arch_branches();
    warn_of_unset_registers();
    rewrite(observed);
    std::cout << edited_text() << shared_variables() << '\n';
    return 0;
}
