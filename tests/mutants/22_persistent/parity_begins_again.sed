# hang: 8 of 8 arrivals missing
# parity_begins_again - the producer begins with the first stage for each tile of C
s/^    const signed char \*a = o.a/    pipe->index = pipe->phase = 0;\n&/
