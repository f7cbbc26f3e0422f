# expect 5: race
# gpu 5: shared race: student.cu
/nobody needs them/d
