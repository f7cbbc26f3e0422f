/* refused.h - programs that cpucc must refuse with a sentence. */
#ifndef REFUSED_H
#define REFUSED_H

extern const int refused_count;

/* Compiles program i. Returns NULL when it was refused as it should be, else what happened (static
 * memory). */
const char *check_refused(int i);

#endif
