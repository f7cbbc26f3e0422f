# expect 87: 0/8 product 3: .*out of bounds
# full
# Product 3: the loads look at rows and columns of C, but not at the end of k.
/==== 3:/,/==== 4:/ {
  s/row < m && first + x < k ?/row < m ?/
  s/first + y < k && column < n ?/column < n ?/
}
