# error
# lost_second_pass - what the second pass rejects is not computed in double
s/if (needs & IN_DOUBLE)/if (pass == 1 \&\& needs \& IN_DOUBLE)/
