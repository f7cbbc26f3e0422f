# error
# overflow_accepted - an infinity is accepted as any other value
s/fabsf(value) < 3e38f/true/
