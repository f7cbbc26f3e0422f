# expect 64: OpenCL: any shape: .*was stopped(.*\n)*0/6 OpenCL: no race, no access outside: .*at student.cl:\d+
# full
# with SECONDS=8
# file student.cl
s/k += TS/k += 0/
