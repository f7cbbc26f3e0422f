# expect 60: OpenCL.*wrong
# file student.cl
/nobody needs them/d
