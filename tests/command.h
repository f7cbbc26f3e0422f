/* command.h - runs a command, or a function in a process of its own, and keeps what it said. */
#ifndef COMMAND_H
#define COMMAND_H
#include <stddef.h>

typedef struct outcome {
    int status; /* 255: it did not exit */
    char out[4000], err[4000];
} outcome;

/* Runs a command of the shell. */
outcome run_command(const char *command);

/* Calls act(argument) in a child, which exits with what it returns. Its stdout is not kept. */
outcome run_in_child(int (*act)(const void *), const void *argument);

/* The beginning of a file, as a string; empty where it cannot be read. */
void read_text(const char *path, char *text, size_t size);

/* The lines of a text. */
int count_lines(const char *text);

#endif
