# lost_second_pass - what the second pass rejects is not computed in double: a planted fault. The suite must reject it.
s/row, column, wants & 1 << IN_DOUBLE)/row, column, pass == 1 \&\& wants \& 1 << IN_DOUBLE)/
