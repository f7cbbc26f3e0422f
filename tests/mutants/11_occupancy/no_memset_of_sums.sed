# error
# no_memset_of_sums - sums begin with what shared memory holds
/make_float4(0, 0, 0, 0)/s/\*find_sums.*;/;/
