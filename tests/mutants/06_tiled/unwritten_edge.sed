# error
# unwritten_edge - the last row is never written
s/if (row < n && column < n)/if (row + 1 < n \&\& column < n)/
