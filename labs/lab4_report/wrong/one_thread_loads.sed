# expect 84: requests: few threads of a block load, and the others wait
s/for (int i = threadIdx.y \* blockDim.x + threadIdx.x; i < strip \* n; i += threads)/for (int i = 0; i < strip * n \&\& threadIdx.x + threadIdx.y == 0; i++)/
s/^    int threads = blockDim.x/    [[maybe_unused]] &/
