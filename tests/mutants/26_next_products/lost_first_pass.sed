# error
# lost_first_pass - what the first pass rejects is not computed in double
s/if (needs & IN_DOUBLE)/if (pass == 2 \&\& needs \& IN_DOUBLE)/
