# swapped - step 02 with neighbouring threads in neighbouring rows: coalesced no more. The product is the same.
s,row = index / n\, column = index % n;,column = index / n\, row = index % n;,
s,if (row >= n),if (column >= n),
