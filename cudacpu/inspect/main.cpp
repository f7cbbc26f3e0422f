/* main.cpp - the beginning and the end of an observed program, around its own main: the options
 * --json and --row are taken out of its command line, and the report comes when it ends. */
#include "faults.h"
#include "observer.h"
#include "places.h"
#include "program_report.h"
#include "trace.h"
#include <cstring>
#include <unistd.h>

namespace cudacpu::inspect {
namespace {

void end_observation() {
    static bool ended;
    if (ended)
        return;
    ended = true;
    finish_observing();
    write_report();
    fflush(nullptr);
}

__attribute__((constructor)) void begin_observation() {
    find_program_text();
    open_trace();
    start_observing(end_observation);
}

/* A fault makes the status 1. */
void at_exit(int status, void *) {
    end_observation();
    _exit(recorded_faults().empty() ? status : 1);
}

FILE *open_json(const char *path) {
    if (!path) {
        fprintf(stderr, "inspect: --json needs a file name\n");
        _exit(2);
    }
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "inspect: --json %s: the file cannot be written\n", path);
        _exit(2);
    }
    return file;
}

/* Takes inspect's own options out of argv; returns how many arguments are left. */
int read_options(int argc, char **argv) {
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            options.json = open_json(argv[++i]); /* NULL after the last */
        else if (strcmp(argv[i], "--row") == 0)
            options.row = true;
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = nullptr;
    return kept;
}

} // namespace
} // namespace cudacpu::inspect

extern "C" void tell_inspect(const inspect_facts *facts) {
    cudacpu::inspect::options.facts = *facts;
}

/* By the linker's --wrap=main: __real_main is the program's. */
extern "C" int __real_main(int argc, char **argv, char **environment);
extern "C" int __wrap_main(int argc, char **argv, char **environment) {
    argc = cudacpu::inspect::read_options(argc, argv);
    cudacpu::inspect::start_report();
    on_exit(cudacpu::inspect::at_exit, nullptr);
    return __real_main(argc, argv, environment);
}
