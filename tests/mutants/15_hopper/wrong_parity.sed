# wrong_parity - consumers wait for the phase before: a planted fault. The suite must reject it.
s/wait_for_barrier(&full\[turn % STAGES\], parity)/wait_for_barrier(\&full[turn % STAGES], parity ^ 1)/
