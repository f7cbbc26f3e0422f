# error
# one_column_s_norms - all columns of a block have the norms of the first one
s/store_norms(o, column, sums\[x\]/store_norms(o, column, sums[0]/
