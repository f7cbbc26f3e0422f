# fault at n = 385: restore_magnitudes_kernel
# own_columns_again - each product has the rank's own columns
s/o.left = (unsigned)first_of(r, o.n, of);/o.left = (unsigned)first_of(r, o.n, r->number);/
