# expect 55: OpenCL.*wrong
# file student.cl
s/row = get_global_id(1), column = get_global_id(0)/row = get_global_id(0), column = get_global_id(1)/
