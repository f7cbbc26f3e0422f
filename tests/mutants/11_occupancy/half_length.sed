# error
# half_length - partial sums are shorter than declared
s/LENGTH = 64 /LENGTH = 32 /
