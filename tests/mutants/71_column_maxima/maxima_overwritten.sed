# error
# maxima_overwritten - a block stores its maxima over those of the others
s/atomicMax(&s.largest\[blockIdx.x \* TILE + threadIdx.x\], largest\[threadIdx.x\])/s.largest[blockIdx.x * TILE + threadIdx.x] = largest[threadIdx.x]/
