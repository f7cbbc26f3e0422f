# hears_both_warpgroups - the empty barrier waits for a warpgroup that has left: a planted fault. The suite must reject it.
s/(halves ? 1 : CONSUMERS)/CONSUMERS/
