# expect 0: never written
s/if (row < m \&\& column < n)/if (row < m \&\& column + 1 < n)/
