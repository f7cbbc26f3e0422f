# error
# last_columns_left_out - the last cluster's columns are not sliced
s|CLUSTER_COLUMNS \* PARTS,|CLUSTER_COLUMNS * PARTS - PARTS,|
