# expect 88: 0/7 product 1: .*wrote past
# full
# Product 1: only one half of the guard is put right.
/==== 1:/,/==== 2:/ s/row < m && column < n/row < m \&\& column <= n/
