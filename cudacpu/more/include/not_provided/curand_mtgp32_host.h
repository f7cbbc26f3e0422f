/* curand_mtgp32_host.h - not provided, said at compile time. */
#error "cudacpu does not provide cuRAND's MTGP32: XORWOW (curandState) and Philox are provided"
