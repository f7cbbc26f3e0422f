# expect 73: outside
# gpu 77: out of bounds
# full
s/if (row < m && column < k) {$/if (row <= m \&\& column <= k) {/
