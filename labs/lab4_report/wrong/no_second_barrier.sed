# expect 61: shared race: student.cu
/nobody needs them/d
