# error
# other_half - each block copies the rows of the other one
s/first = rank \* WG_M \* BK/first = (1 - rank) * WG_M * BK/
