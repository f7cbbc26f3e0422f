# hang: 16 of 16 arrivals missing
# waits_for_unwanted_pairs - the producer copies pairs that the consumers leave out, and waits for them
/if (needs_next(o, row, column.*)$/{
N
s/.*\n *produce<2>/                    produce<2>/
}
