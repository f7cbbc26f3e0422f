# no_memset_of_sums - sums begin with what shared memory holds: a planted fault. The suite must reject it.
/make_float4(0, 0, 0, 0)/s/\*find_sums.*;/;/
