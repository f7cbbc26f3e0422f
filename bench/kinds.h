/* kinds.h - a table of what each kind of operands costs. */
#ifndef KINDS_H
#define KINDS_H

/* CSV: a line for each size, each kind of operands and each chosen program: the suite's kinds, and
 * operands of which an element, a row, a column or an index is 1e3 or 1e6 times as large. KINDS in
 * the environment, names with commas between them, chooses kinds. */
void measure_kinds(int count, const int *sizes, const int *chosen);

#endif
