# error
# wrong_parity - consumers wait for the phase before
s/wait_for_phase(&pipe->full\[i\], pipe->turn \/ STAGES % 2)/wait_for_phase(\&pipe->full[i], pipe->turn \/ STAGES % 2 ^ 1)/
