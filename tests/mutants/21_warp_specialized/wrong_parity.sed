# error
# wrong_parity - consumers wait for the phase before
s/full\[pipe->index\], pipe->phase)/full[pipe->index], pipe->phase ^ 1)/
