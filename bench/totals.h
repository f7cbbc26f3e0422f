/* totals.h - a table of what the user waits for. */
#ifndef TOTALS_H
#define TOTALS_H

/* CSV: a line for each size and each chosen program: n x n uniform matrices in ordinary memory, in
 * a process of its own; the total of its first call, with the device's context made, and of later
 * ones. Of steps that would take long at a size, by what they took at the one before, no line is
 * made. Uses CUDA in children alone. */
void measure_totals(int count, const int *sizes, const int *chosen);

#endif
