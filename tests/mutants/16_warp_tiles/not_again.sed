# error
# not_again - leaves what must be computed again
s/again && i < SUMS/0 \&\& i < SUMS/
