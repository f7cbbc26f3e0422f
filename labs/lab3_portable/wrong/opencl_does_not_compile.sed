# expect 64: 0/8 OpenCL: multiples .*student.cl: does not compile with -DTS=16 .*student.cl:8:13(.*\n)+.*it does not compile: student.cl:1\d:\d
# file student.cl
# OpenCL's compiler and that of CUDA, which observes the file, have different words for it.
s/get_local_id(0)/threadIdx.x/
s/int sum = 0;/int sum = 0/
