# expect 72: all in row
# full
s/if (y < strip && x < strip && row < m && column < k)/if (y < strip \&\& x < strip \&\& row + 1 < m \&\& column < k)/
