# expect 81: shared memory is read: plain_kernel is the one without tiles
# full
s/^        plain_kernel<<</        tiled_kernel<<</
s/^static __global__ void plain_kernel/[[maybe_unused]] &/
