# expect 0: does not compile: student.cu:
# gpu 0: does not compile: student.cu\(17\)
# full
s|EACH = 8, |EACH = 8; |
