# parity_begins_again - the producer counts stages from 0 for each tile of C: a planted fault. The suite must reject it.
s/^    const signed char \*a = p.slices_a/    pipe->turn = 0;\n&/
