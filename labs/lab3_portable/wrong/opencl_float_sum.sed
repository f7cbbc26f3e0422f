# expect 87: OpenCL: any shape: .*are wrong
# file student.cl
s/int sum = 0/float sum = 0/
