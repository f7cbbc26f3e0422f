# expect 36: does not compile: student.cu:
# full
s/int sum = 0;/int sum = 0/
