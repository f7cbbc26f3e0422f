# error
# no_barrier_of_vectors - nobody waits until the tiles are complete
/the tiles are complete/d
