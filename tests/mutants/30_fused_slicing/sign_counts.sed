# error
# sign_counts - a negative element is larger than any other
s/__float_as_uint(b\[i \* ldb\]) << 1/__float_as_uint(b[i * ldb])/
s/return bits >> 1/return bits/
