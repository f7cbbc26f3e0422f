# expect 0: does not compile: student.cu:
s/ELEMENT sum = 0;/ELEMENT sum = 0/
