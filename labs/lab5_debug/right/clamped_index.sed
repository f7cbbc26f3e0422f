# expect 100: 7/7 product 1
# full
# The guard of product 1 becomes a clamp: threads outside C write its last row and column once more, with equal values.
/==== 1:/,/==== 2:/ {
  s/size_t row = .*/size_t row = min(blockIdx.y * TILE + threadIdx.y, (unsigned)m - 1), column = min(blockIdx.x * TILE + threadIdx.x, (unsigned)n - 1);/
  s/if (row < m && column < n) {/{/
}
