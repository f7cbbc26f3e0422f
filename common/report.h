/* report.h - what the programs of a step print. */
#ifndef REPORT_H
#define REPORT_H
#include "errors.h"
#ifdef __cplusplus
extern "C" {
#endif

/* --csv: a header and a line of values, the last of them the FNV-1a 64 hash of C's bytes. device:
 * NULL where the step uses none. The times are put in ascending order. */
void print_csv(product *p, const errors *e, const device_info *device);

/* The article's lines, "Max error" and "Time used"; and the kernel's time. The times are put in
 * ascending order. */
void print_errors(const errors *e);
void print_total(product *p);
void print_kernel(product *p);

/* What a reader should know besides: rows that were not compared, a note of the step, the device.
 */
void print_remarks(const product *p, const errors *e);
void print_device(const device_info *device);

/* Ends the program with a sentence and status 1 where the output could not be written. */
void require_output(void);

#ifdef __cplusplus
}
#endif
#endif
