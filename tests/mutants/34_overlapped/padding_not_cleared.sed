# error
# padding_not_cleared - rows of B that pad n are what was in memory
/m.b + rows \* m.n, 0, rest/d
