# expect 88: 0/7 product 4: (?!right when k).*never written
# full
# Product 4: the grid is rounded down, and has one block where that would be none. It has nothing to do with k.
/==== 4:/,/==== 5:/ s/grid(.*), block(/grid(n \/ TILE ? n \/ TILE : 1, m \/ TILE ? m \/ TILE : 1), block(/
