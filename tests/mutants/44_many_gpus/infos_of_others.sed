# infos_of_others - what the bound needs of other ranks' columns is not kept: a planted fault. The suite must reject it.
s/ncclRecv(s->columns + first/ncclRecv(s->columns + 0 * first/
