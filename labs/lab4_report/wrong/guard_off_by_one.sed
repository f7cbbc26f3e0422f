# expect 73: outside
s/if (row < m && column < k) {$/if (row <= m \&\& column <= k) {/
