/* unset_registers.h - local variables that are added to, and never set. */
#ifndef CUDACPU_COMPILER_UNSET_REGISTERS_H
#define CUDACPU_COMPILER_UNSET_REGISTERS_H

/* Warns of each in a function of the device, where the compiler does not: of arrays. */
void warn_of_unset_registers();

#endif
