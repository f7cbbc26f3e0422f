# error
# own_columns_not_sliced - a rank slices none of its columns
/^    slice_columns_in_cluster(o);/d
