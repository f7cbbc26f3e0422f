# expect 64: OpenCL.*wrong
# full
# file student.cl
s/row = get_global_id(1), column = get_global_id(0)/row = get_global_id(0), column = get_global_id(1)/
