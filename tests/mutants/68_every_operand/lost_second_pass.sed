# error
# lost_second_pass - what the second pass rejects is not computed in double
s/fp64 ? IN_DOUBLE/fp64 \&\& pass == 1 ? IN_DOUBLE/
