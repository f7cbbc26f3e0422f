# error
# upper_tile_twice - of a pair that is split the upper tile is computed twice
s/split && has_pair ? j % CLUSTER : 0/0/
