# expect 0: does not compile: student.cu:
s/double sum = 0;$/double sum = 0/
