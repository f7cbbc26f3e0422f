/* tokens.h - the judge's side of disguise.h: its key, and the results that come as tokens. */
#ifndef TOKENS_H
#define TOKENS_H
#include "casefile.h"
#include "disguise.h"

/* Changes the key until no word that programs often bring, such as 0, is a token. */
void choose_key(disguise_header *d);
/* In a case file, C's tokens become what was fetched from the device, each once; path: the file of
 * values. Prints how many elements were written and are no such tokens. fresh: the file as it was.
 */
void reveal_result(char *file, const char *fresh, const case_matrix *c, const disguise_header *d,
                   const char *path);
#endif
