# expect 96: 0/4 sizes: three in the range: with the arguments 130 128 2048: exit status 2, expected 0
# full
# The largest size is in the range.
s/value > LARGEST/value >= LARGEST/
