# error early at n = 1025
# last_columns_left_out - the last 128 columns are not sliced
s|CLUSTER_COLUMNS \* PARTS,|CLUSTER_COLUMNS * PARTS - 8 * PARTS,|
