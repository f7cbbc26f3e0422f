/* totals.h - a table of what the user waits for. */
#ifndef TOTALS_H
#define TOTALS_H

/* A line of CSV for each program that runs, after a header: n x n uniform matrices in ordinary
 * memory, in a process of its own; the total of its first call, with the device's context made, and
 * of later ones. Programs that are slow are left out above that n. Uses CUDA in children alone. */
void print_totals_header(void);
void measure_totals(int n);

#endif
