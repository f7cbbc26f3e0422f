# expect 10: outside
s/if (row < m \&\& column < n)/if (row <= m \&\& column <= n)/
