# expect 0: does not compile: student.cu:
s/EACH = 4, /EACH = 4; /
