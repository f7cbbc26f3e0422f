# expect 73: a barrier without CLK_LOCAL_MEM_FENCE
# file student.cl
s/CLK_LOCAL_MEM_FENCE/CLK_GLOBAL_MEM_FENCE/
