# expect 88: 0/7 product 6: .*shared race
# full
/==== 6:/,/==== 7:/ {
  /sum += /{n;d;}
  s/^    if (row < m && column < n)/    __syncthreads();\n&/
}
