/* runner.h - what the parts of the student's process that are ours know of each other */
#ifndef RUNNER_H
#define RUNNER_H
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* The values of a case whose inputs are tokens, from a descriptor (-1: it has none); and where host
 * code wants the result. */
void open_disguise(int descriptor, const void *c, size_t c_bytes);
void close_disguise(void);
/* Words brought to the device since then that were neither inputs nor constant. */
uint64_t words_carried(void);
/* Bytes that were written between the rows of a matrix on the device, as far as it was fetched. */
uint64_t bytes_spilled(void);
/* Words that were fetched from the device by so few that they are no tokens. */
uint64_t words_peeked(void);
/* Ends the program with a sentence where host code wrote past a block of the heap. */
void check_heap(void);
/* From now on the program ends with a sentence where it uses a large block that was freed. */
void watch_freed(void);
/* Does it lie in the case that the call was given? */
int is_callers(const void *p);
/* Events and streams that are created and not destroyed; of the last one which call has created it,
 * and where. */
uint64_t handles_alive(char *last, size_t bytes);
/* Each launch fails from now on (1), or none does (0). */
void let_launches_fail(int fail);

/* What cudacpu's runtime tells (observer.cpp; runtime/host/observer.h says when): rows of data that
 * a copy has brought to the device, will take from there, has taken; that it has brought from
 * memory that host code reaches, too; memory was filled; memory that both reach, around a launch;
 * bytes of a launch's arguments, which fails where the result is not 0; host memory that a copy is
 * given. Returns the seal of inspect's report. */
void lab_told_uploaded(void *data, size_t pitch, size_t width, size_t rows);
void lab_told_downloads(const void *data, size_t pitch, size_t width, size_t rows);
void lab_told_downloaded(void *data, size_t pitch, size_t width, size_t rows);
void lab_told_fetched(void *data, size_t pitch, size_t width, size_t rows);
void lab_told_filled(void);
void lab_told_shared_memory(void *data, size_t bytes, int launch_ended);
int lab_told_launch(size_t argument_bytes);
void lab_told_host_memory(const void *pointer, const char *function, void *caller);
const char *lab_told_report(void);

/* What cudacpu's runtime is asked (observer.cpp; a program for a GPU has neither): "file:line" of a
 * return address; and of the innermost of the calls that lead to an instruction that has one. */
__attribute__((weak)) void lab_find_place(void *caller, char *place, size_t bytes);
__attribute__((weak)) void lab_find_innermost_place(void *pc, char *place, size_t bytes);
#endif
