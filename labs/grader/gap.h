/* gap.h - the gaps between C's rows while the call runs */
#ifndef GAP_H
#define GAP_H
#include "lab.h"
#include <stdint.h>

void watch_gap(const lab_matrix *c);
/* At each launch, and before a copy to the host. */
void change_gap(void);
/* Around what of ours writes there. */
void open_gap(void);
void close_gap(void);
int is_in_gap(const void *p);
/* The call is over, and they are as they were. Words that were written and have their old value. */
uint64_t words_put_back(void);
#endif
