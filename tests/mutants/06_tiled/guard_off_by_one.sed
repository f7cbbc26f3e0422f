# fault: wrote 1 byte past a
# guard_off_by_one - the guard lets one column too many through
s/if (row < n && column < n)/if (row <= n \&\& column <= n)/
