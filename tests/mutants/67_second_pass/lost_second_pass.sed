# error
# lost_second_pass - what the second pass rejects is not computed in double
s/(int)SECOND : (int)IN_DOUBLE/(int)SECOND : 0/
