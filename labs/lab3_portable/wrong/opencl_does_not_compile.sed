# expect 64: student.cl: does not compile with -DTS=16 .*student.cl:8:13
# file student.cl
s/get_local_id(0)/threadIdx.x/
