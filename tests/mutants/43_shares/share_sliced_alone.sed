# share_sliced_alone - as many columns are sliced as a rank has itself: a planted fault. The suite must reject it.
s/slice_columns(p, s->n, stream);/slice_columns(p, s->count, stream);/
