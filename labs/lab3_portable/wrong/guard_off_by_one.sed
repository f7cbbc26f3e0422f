# expect 58: out of bounds
# full
s/^    if (row < m && column < n)$/    if (row <= m \&\& column < n)/
