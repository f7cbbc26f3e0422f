# expect 0: does not compile: student.cu:
# full
s/EACH = 4, /EACH = 4; /
