# unwritten_edge - the last row is never written: a planted fault. The suite must reject it.
s/if (row < n && column < n)/if (row + 1 < n \&\& column < n)/
