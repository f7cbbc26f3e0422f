# expect 100: 9/9 the same integers by both: OpenCL
# file student.cl
# A mark of UTF-8 before the first line, and CUDA's words as macros.
1s/^/\xEF\xBB\xBF/
s/^__kernel void/#define TILE TS\n#define __shared__ __local\n#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE)\n&/
s/__local int/__shared__ int/
s/\[TS\]/[TILE]/g
s/  barrier(CLK_LOCAL_MEM_FENCE)/  __syncthreads()/
