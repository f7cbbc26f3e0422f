# no_barrier_of_vectors - nobody waits until the tiles are complete: a planted fault. The suite must reject it.
/the tiles are complete/d
