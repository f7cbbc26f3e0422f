# expect 0: does not compile: student.cu:
# gpu 0: does not compile: student.cu\(13\)
# full
s/EACH = 4, /EACH = 4; /
