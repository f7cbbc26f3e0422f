/* refused.h - programs that cpucc must refuse with a sentence. */
#ifndef REFUSED_H
#define REFUSED_H

/* -E ends after the rewriting, -c compiles. */
typedef struct refused_program {
    const char *arguments, *source, *sentence;
} refused_program;
extern const refused_program PTX_PROGRAMS[]; /* with inline assembly */
extern const int ptx_program_count;

int count_refused(void);
const refused_program *find_refused(int i);

/* Compiles program i. Returns NULL when it was refused as it should be, else what happened (static
 * memory). */
const char *check_refused(int i);

#endif
