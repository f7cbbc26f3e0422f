# expect 50: outside|past
# full
# full
s/row < m && k + x < p ? a\[row \* p + (k + x)\] : 0/a[row * p + (k + x)]/
s/k + y < p && column < n ? b\[(k + y) \* n + column\] : 0/b[(k + y) * n + column]/
s/^    if (row < m && column < n)$/    if (m > 0)/
