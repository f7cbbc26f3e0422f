# coarse_ignored - coarse operands have long partial sums too: a planted fault. The suite must reject it.
s/found == STRUCTURED ? STRUCTURED : COARSE/found == STRUCTURED ? STRUCTURED : ORDINARY/
