# expect 96: 0/4 sizes: three in the range: .*exit status 1, expected 0; it printed: read_sizes refuses 128 or 2048, and both are in the range
# full
# The largest size is in the range.
s/value > LARGEST/value >= LARGEST/
