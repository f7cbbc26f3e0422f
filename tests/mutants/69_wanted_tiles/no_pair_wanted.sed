# error
# no_pair_wanted - the second pass leaves out all tiles
s/SECOND \* 0x0101010101010101/0/
