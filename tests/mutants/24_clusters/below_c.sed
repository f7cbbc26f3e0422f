# fault: -byte allocation
# below_c - the second tile of the last pair is stored below C
s/if (row < o.n)/if (row <= o.n)/
