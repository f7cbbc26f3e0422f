# expect 87: OpenCL: any shape: .*are wrong
# full
# file student.cl
s/int sum = 0/float sum = 0/
