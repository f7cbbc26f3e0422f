# expect 56: student.cl: does not compile with -DTS=16: error: 
# file student.cl
s/get_local_id(0)/threadIdx.x/
