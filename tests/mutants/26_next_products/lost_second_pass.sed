# error
# lost_second_pass - what the second pass rejects is not computed in double
s/^        flag(o, row, column, needs | find_rejected.*//
