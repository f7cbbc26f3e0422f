# expect 52: OpenCL.*wrong
# file student.cl
/the tiles are complete/d
