# expect 35: invalid argument: .*; right where no call came before it in the same process
# gpu 0-60: invalid argument|wrong|memory not freed
# The first call allocates for its own shape, and the next ones have no room there.
s/ELEMENT \*device_a, \*device_b, \*device_c;/static &/
s/CUDA_CHECK(cudaMalloc(&device_\(.\), bytes_.));/if (!device_\1) &/
/CUDA_CHECK(cudaFree/d
