# forgotten_level - leaves the third level out: a planted fault. The suite must reject it.
s/d + e < SLICES/d + e < 2/
