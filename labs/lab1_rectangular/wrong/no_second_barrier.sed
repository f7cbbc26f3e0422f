# expect 5: race
# gpu 0-60: shared race: student.cu
/nobody needs them/d
