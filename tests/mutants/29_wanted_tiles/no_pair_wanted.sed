# no_pair_wanted - the second pass leaves out all tiles: a planted fault. The suite must reject it.
s/SECOND \* 0x0101010101010101/0/
