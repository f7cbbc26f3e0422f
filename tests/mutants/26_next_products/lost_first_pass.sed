# error
# lost_first_pass - what the first pass rejects is not computed in double
s/} else if (needs)/} else if (needs \&\& !flagged)/
