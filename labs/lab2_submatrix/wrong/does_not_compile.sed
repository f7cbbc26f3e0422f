# expect 0: does not compile: student.cu:
# full
s/^    ELEMENT sum = 0;/    ELEMENT sum = ;/
