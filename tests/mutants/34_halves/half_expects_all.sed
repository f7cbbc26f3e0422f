# half_expects_all - the full barrier expects the bytes of a whole tile of A: a planted fault. The suite must reject it.
s/ - HALF);/);/
