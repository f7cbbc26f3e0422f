# other_half - each block copies the rows of the other one: a planted fault. The suite must reject it.
s/first = rank \* WG_M \* BK/first = (1 - rank) * WG_M * BK/
