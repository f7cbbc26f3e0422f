# not_again - leaves what must be computed again: a planted fault. The suite must reject it.
s/again && i < SUMS/0 \&\& i < SUMS/
