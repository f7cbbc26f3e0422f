# expect 0: x
# Product 7 waits at no barrier: none is inside an if any more.
/==== 7:/,/==== 8:/ {
  /__syncthreads();/d
}
