# expect 64: OpenCL: no race.*; its threads meet at barriers, and read nothing from shared memory: is a __local missing\?
# file student.cl
# full
s/__local int/int/
