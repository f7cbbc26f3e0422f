# hang: 8 of 8 arrivals missing
# parity_begins_again - the producer counts stages from 0 for each tile of C
s/^    const signed char \*a = p.slices_a/    pipe->turn = 0;\n&/
