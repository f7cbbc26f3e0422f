# wrong_parity - consumers wait for the phase before: a planted fault. The suite must reject it.
s/wait_for_phase(&pipe->full\[i\], pipe->turn \/ STAGES % 2)/wait_for_phase(\&pipe->full[i], pipe->turn \/ STAGES % 2 ^ 1)/
