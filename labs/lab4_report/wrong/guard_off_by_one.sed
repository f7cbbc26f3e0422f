# expect 73: outside
# full
s/if (row < m && column < k) {$/if (row <= m \&\& column <= k) {/
