# expect 70: shared race: student.cu
/nobody needs them/d
