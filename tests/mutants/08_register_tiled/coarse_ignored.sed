# coarse_ignored - coarse operands have long chunks too: a planted fault. The suite must reject it.
s/found == UNEVEN ? UNEVEN : COARSE/found == UNEVEN ? UNEVEN : EVEN/
