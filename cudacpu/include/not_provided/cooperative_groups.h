/* cooperative_groups.h - not provided, said at compile time. */
#error "cudacpu does not provide cooperative_groups.h: this program needs nvcc and a GPU"
