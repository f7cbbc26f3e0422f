# hang: 16 of 16 arrivals missing
# waits_for_unwanted_pairs - the producer copies pairs that the consumers leave out, and waits for them
/if (has_pair<pass>(p, marked, i, down, rows))/{
N
s/.*\n *produce/            produce/
}
