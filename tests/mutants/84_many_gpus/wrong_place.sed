# error at n = 385
# wrong_place - slices go to the place of another rank's columns
s/ncclRecv(s->slices_b + first/ncclRecv(s->slices_b + 0 * first/
