# error at n = 385
# wrong_place - slices of others go to the place of the rank's own
s/ncclRecv((char \*)array.all + first \* array.bytes/ncclRecv((char *)array.all + own * array.bytes/
