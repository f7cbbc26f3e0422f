# expect 46: out of bounds
s/^    if (row < m && column < n)$/    if (row <= m \&\& column < n)/
