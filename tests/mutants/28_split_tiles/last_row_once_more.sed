# error
# last_row_once_more - the last row of tiles is the one before
s/whole) \* CLUSTER, down);/whole) * CLUSTER, down - (down > 0));/
