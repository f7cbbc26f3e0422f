# guard_off_by_one - the guard lets one column too many through: a planted fault. The suite must reject it.
s/if (row < n && column < n)/if (row <= n \&\& column <= n)/
