# error early
# no_barrier_behind_signs - products begin before the other warps have taken the signs
s/^    asm volatile("bar.sync 1.*//
