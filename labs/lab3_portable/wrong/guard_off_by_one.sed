# expect 58: out of bounds
s/^    if (row < m && column < n)$/    if (row <= m \&\& column < n)/
