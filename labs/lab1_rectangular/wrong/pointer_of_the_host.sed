# expect 0: a kernel reaches into the memory of host code, .*student.cu:\d+: read an address
# gpu 0: a kernel reaches into the memory of host code|illegal memory access
s/(device_a, device_b/(a, device_b/
