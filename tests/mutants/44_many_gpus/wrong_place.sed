# wrong_place - slices go to the place of another rank's columns: a planted fault. The suite must reject it.
s/ncclRecv(s->slices_b + first/ncclRecv(s->slices_b + 0 * first/
