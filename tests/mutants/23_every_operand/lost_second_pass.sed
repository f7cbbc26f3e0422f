# lost_second_pass - what the second pass rejects is not computed in double: a planted fault. The suite must reject it.
s/pass == 1 ? fails > 1 : fails)/fails > 1)/
