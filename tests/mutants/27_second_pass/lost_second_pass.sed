# lost_second_pass - what the second pass rejects is not computed in double: a planted fault. The suite must reject it.
s/(int)SECOND : (int)IN_DOUBLE/(int)SECOND : 0/
