/* rewrite.cpp - turns preprocessed CUDA (standard input) into C++ (standard output), line for line.
 * It touches only what C++ cannot parse: launches, shared memory, __global__, __noinline__ and
 * PTX; the beginning of a kernel; loops that poll; and the variables of a device. */
#include "passes.h"
#include "syntax.h"
#include <cstring>
#include <optional>

std::vector<void (*)()> &passes() {
    static std::vector<void (*)()> all = {
        /* analyses */
        find_scopes,
        find_templates,
        find_kernels,
        /* diagnostics */
        warn_of_arch_branches,
        warn_of_uninitialized_arrays,
        check_kernel_calls,
        /* CUDA C++ to C++ */
        drop_function_attributes,
        make_launch_stubs,
        rewrite_launches,
        rewrite_device_variables,
        rewrite_shared_variables,
        lower_inline_ptx,
        inline_ptx_functions,
        /* what a thread does for the others */
        rewrite_spin_loops,
        rewrite_warp_synchronous_stores,
    };
    return all;
}

namespace {

/* Runs them all; of what fails the first in the text is told. */
bool rewrite(bool observed) {
    std::optional<failure> first;
    const auto run = [&first](void (*pass)()) {
        try {
            pass();
        } catch (const failure &f) {
            if (!first || f.token < first->token)
                first = f;
        }
    };
    for (void (*pass)() : passes())
        run(pass);
    if (observed)
        run(add_red_zones);
    if (first) {
        const place where = find_place(first->token);
        std::fprintf(stderr, "%s:%ld: error: %s\n", where.file.c_str(), where.line,
                     first->message.c_str());
    }
    return !first;
}

} // namespace

/* rewrite --observed: for inspect. rewrite --kernels SOURCE MACHINE: the compiler's assembly,
 * afterwards (static_shared.cpp). */
int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--kernels") == 0)
        return !write_kernel_table(arguments[2], strncmp(arguments[3], "x86_64", 6) == 0);
    read_tokens(read_all(stdin));
    if (!rewrite(count == 2 && strcmp(arguments[1], "--observed") == 0))
        return 1;
    const std::string code = edited_text() + device_variable_registrations() + '\n';
    return std::fwrite(code.data(), 1, code.size(), stdout) != code.size();
}
