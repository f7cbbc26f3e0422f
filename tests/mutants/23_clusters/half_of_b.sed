# half_of_b - each block copies its half of B for itself alone: a planted fault. The suite must reject it.
s/start_multicast_copy(s->b + rank \* HALF,/start_bulk_copy(s->b + rank * HALF,/
