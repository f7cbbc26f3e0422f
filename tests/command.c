/* command.c - runs a command, or a function in a process of its own, and keeps what it said. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 255; }

void read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, size - 1, file) : 0;
    text[got] = 0;
    if (file)
        fclose(file);
}

outcome run_command(const char *command) {
    outcome o;
    char line[1000], path[250], base[200];
    snprintf(base, sizeof base, BUILD "/tests/run.%d", (int)getpid());
    snprintf(line, sizeof line, "%s >%s.out 2>%s.err", command, base, base);
    o.status = exit_status(system(line));
    snprintf(path, sizeof path, "%s.out", base);
    read_text(path, o.out, sizeof o.out);
    unlink(path);
    snprintf(path, sizeof path, "%s.err", base);
    read_text(path, o.err, sizeof o.err);
    unlink(path);
    return o;
}

outcome run_in_child(int (*act)(const void *), const void *argument) {
    outcome o;
    char path[200];
    snprintf(path, sizeof path, BUILD "/tests/child.%d", (int)getpid());
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child == 0) {
        if (freopen(path, "w", stderr) == NULL)
            _exit(3);
        exit(act(argument));
    }
    int status = 0;
    waitpid(child, &status, 0);
    o.status = exit_status(status);
    o.out[0] = 0;
    read_text(path, o.err, sizeof o.err);
    unlink(path);
    return o;
}

int count_lines(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}
