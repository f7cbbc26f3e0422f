/* curand_mtgp32dc_p_11213.h - not provided, said at compile time. */
#error "cudacpu does not provide cuRAND's MTGP32: XORWOW (curandState) and Philox are provided"
