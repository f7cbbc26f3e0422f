# half_length - partial sums are shorter than declared: a planted fault. The suite must reject it.
s/LENGTH = 64 /LENGTH = 32 /
