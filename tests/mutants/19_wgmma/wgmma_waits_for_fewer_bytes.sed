# wgmma_waits_for_fewer_bytes - the barrier expects only the bytes of A: a planted fault. The suite must reject it.
s/arrive_and_expect(full, sizeof \*to)/arrive_and_expect(full, sizeof to->a)/
