# error at n = 385
# shard_sliced_alone - as many columns are sliced as a rank has itself
/^static void slice_b/,/^}/s/o.matrix_b = b;/o.matrix_b = b, o.columns = (unsigned)s->count;/
