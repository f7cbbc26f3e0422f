# expect 61: shared race: student.cu
# gpu 61-90: shared race: student.cu
# full
/nobody needs them/d
