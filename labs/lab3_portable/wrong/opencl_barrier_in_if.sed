# expect 72: OpenCL: no race, no access outside: .*divergent barrier: student.cl:\d+
# full
# file student.cl
s/barrier(CLK_LOCAL_MEM_FENCE); \/\* the tiles/if (row < m) barrier(CLK_LOCAL_MEM_FENCE); \/* the tiles/
