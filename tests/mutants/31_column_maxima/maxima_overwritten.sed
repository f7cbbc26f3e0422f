# maxima_overwritten - a block stores its maxima over those of the others: a planted fault. The suite must reject it.
s/atomicMax(&s.largest\[blockIdx.x \* TILE + threadIdx.x\], largest\[threadIdx.x\])/s.largest[blockIdx.x * TILE + threadIdx.x] = largest[threadIdx.x]/
