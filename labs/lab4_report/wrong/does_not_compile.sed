# expect 0: does not compile: student.cu:
# full
s/double sum = 0;$/double sum = 0/
