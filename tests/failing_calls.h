/* failing_calls.h - calls of CUDA's functions that a step makes: counted, timed, slow, failing. The
 * suite is linked so that they come here first (--wrap). */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

/* For all of this process's calls: the call-th of this function (from 1 on) returns an error in
 * place of doing its work. "launch": as if a kernel had not been launched, an error waits for
 * cudaGetLastError() from the call-th cudaEventRecord on. NULL: none fails. */
void fail_call(const char *function, int call);

/* Calls until now. -1: there is no function i. */
int count_calls(int i, const char **function);

/* Allocations of the device and pinned ones that are not freed. */
int count_left(void);

/* Each allocation, and each copy between host and device, takes so much longer from now on. */
void slow_down(double seconds);

/* By how much all of them took longer since slow_down. */
double seconds_longer(void);

#endif
