# expect 87: 0/8 product 7: .*shared race
# Product 7 waits at no barrier: none is inside an if any more.
/==== 7:/,/==== 8:/ {
  /__syncthreads();/d
}
