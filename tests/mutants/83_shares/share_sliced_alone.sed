# error at n = 385
# share_sliced_alone - as many columns are sliced as a rank has itself
s/slice_columns(p, s->n, stream);/slice_columns(p, s->count, stream);/
