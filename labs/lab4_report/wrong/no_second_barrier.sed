# expect 61: shared race: student.cu
# full
/nobody needs them/d
