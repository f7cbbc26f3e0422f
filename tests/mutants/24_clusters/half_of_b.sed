# hang: 12288 bytes missing
# half_of_b - each block copies its half of B for itself alone
s/start_multicast_copy(s->b + rank \* HALF,/start_bulk_copy(s->b + rank * HALF,/
