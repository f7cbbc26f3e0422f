/* main.cpp - the beginning and the end of an observed program, around its own main: the options
 * --json, --html, --row and --seconds are taken out of its command line, and the report comes when
 * it ends. */
#include "access_log.h"
#include "areas.h"
#include "faults.h"
#include "observer.h"
#include "places.h"
#include "recording.h"
#include "reports.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include "runtime/streams/async_mode.h"
#include "stream_faults.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace cudacpu::inspect {
namespace {

/* The program ends: faults that can be told only now, and the report. cut_short: it had no occasion
 * to free its memory. */
void end_observation_early(bool cut_short) {
    static bool ended;
    if (ended)
        return;
    ended = true;
    record_unasked_error();
    finish_faults();
    if (!cut_short)
        record_leaks();
    say_unasked_error();
    write_report();
    fflush(nullptr);
}
void end_observation() { end_observation_early(is_time_over); }

/* What concerns the program as a whole. */
class program_events : public observer {
    void transferred(int from, int to, size_t bytes) override { count_transfer(from, to, bytes); }
    /* that the runtime has found */
    void fault(const char *kind, const char *file, int line, const char *message) override {
        record_fault(kind, line ? place(file, line) : place_of_operation(), message);
    }
    void process_ends() override { end_observation(); }
};

/* abort(), a failed assert() in host code, an exception that nobody catches: the report, then the
 * end that the program has chosen. */
void on_abort(int) {
    signal(SIGABRT, SIG_DFL);
    end_if_stuck();
    end_observation_early(true);
    raise(SIGABRT);
}

/* --seconds: blocks that have begun are finished, others are left out, and the program ends. Host
 * code that runs for as long again ends where it is. */
unsigned seconds_allowed;
void on_alarm(int) {
    if (is_time_over) {
        end_if_stuck();
        end_observation();
        _exit(recorded_faults().empty() ? 0 : 1);
    }
    is_time_over = true;
    alarm(seconds_allowed);
}

void limit_seconds(const char *text) {
    char *end = nullptr;
    const unsigned long seconds = text ? strtoul(text, &end, 10) : 0;
    if (!text || *end || seconds < 1 || seconds > 86400) {
        fprintf(stderr, "inspect: --seconds '%s': it is a number from 1 to 86400\n",
                text ? text : "");
        _exit(2);
    }
    seconds_allowed = (unsigned)seconds;
    signal(SIGALRM, on_alarm);
    alarm(seconds_allowed);
}

/* A file that is opened must not become standard output because that was closed. */
void open_closed_streams() {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/full", O_RDWR);
}

__attribute__((constructor)) void begin_observation() {
    open_closed_streams();
    signal(SIGABRT, on_abort);
    at_quick_exit(end_observation);
    find_program_text();
    open_trace();
    /* A launch, a block or an operation begins for them in this order, and ends in the reverse one:
     * who needs what another one has prepared stands behind it. */
    for (observer *o :
         {&only<program_events>(), &launches(), &vector_clocks(), &sampling(), &mbarriers(),
          &remote_accesses(), &recordings(), &async_copies(), &registers(), &access_logs(),
          &benign_races(), &fences(), &launch_races(), &memory_areas(), &shared_variables(),
          &host_arrays(), &launch_errors(), &stream_faults()})
        observers::add(o);
    follows_accesses = true;
    default_async_mode = LATE;
}

/* A fault makes the status 1, and so does a report that could not be written. */
void at_exit(int status, void *) {
    end_observation();
    if (status == 0 && ferror(stdout)) {
        fprintf(stderr, "inspect: the report could not be written\n");
        is_report_lost = true;
    }
    _exit(recorded_faults().empty() && !is_report_lost ? status : 1);
}

FILE *open_report(const char *option, const char *path) {
    if (!path || strncmp(path, "--", 2) == 0) {
        fprintf(stderr, "inspect: %s needs a file name\n", option);
        _exit(2);
    }
    /* fd:N is a descriptor that is open */
    FILE *file = strncmp(path, "fd:", 3) == 0 ? fdopen(atoi(path + 3), "w") : fopen(path, "w");
    if (!file) {
        fprintf(stderr, "inspect: %s %s: the file cannot be written\n", option, path);
        _exit(2);
    }
    return file;
}

/* Takes inspect's own options out of argv; returns how many arguments are left. */
int read_options(int argc, char **argv) {
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            options.json = open_report("--json", argv[++i]); /* NULL after the last */
        else if (strcmp(argv[i], "--html") == 0)
            options.html = open_report("--html", options.html_path = argv[++i]),
            is_recording = true;
        else if (strcmp(argv[i], "--row") == 0)
            options.row = true;
        else if (strcmp(argv[i], "--seconds") == 0)
            limit_seconds(argv[++i]); /* NULL after the last */
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
extern "C" int is_page_wanted(void) { return cudacpu::inspect::is_recording; }

/* By the linker's --wrap=main: __real_main is the program's. */
extern "C" int __real_main(int argc, char **argv, char **environment);
extern "C" int __wrap_main(int argc, char **argv, char **environment) {
    argc = cudacpu::inspect::read_options(argc, argv);
    on_exit(cudacpu::inspect::at_exit, nullptr);
    return __real_main(argc, argv, environment);
}
