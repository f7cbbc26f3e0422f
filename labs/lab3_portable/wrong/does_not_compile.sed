# expect 0: does not compile: student.cu:
s/int sum = 0;/int sum = 0/
