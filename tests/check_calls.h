/* check_calls.h - what a step must do beside the product. */
#ifndef CHECK_CALLS_H
#define CHECK_CALLS_H
#include <check.h>

/* Adds to a step's part, step i of all_steps: calls that fail, what is left, and the times. */
void add_calls(TCase *part, int i);

#endif
