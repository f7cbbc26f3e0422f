# hang: 1 of 1 arrival missing
# hears_both_warpgroups - the empty barrier waits for a warpgroup that has left
s/(halves ? 1 : CONSUMERS)/CONSUMERS/
