# copies_unwanted_pairs - the producer does not leave out what the consumers leave out: a planted fault. The suite must reject it.
/if (has_pair<pass>(p, marked, i, down, rows))/{
N
s/.*\n *produce/            produce/
}
