# expect 0: outside|past
s/if (row < n && column < n)/if (row <= n \&\& column < n)/
