# expect 5: race
# gpu 0-75: shared race: student.cu
/nobody needs them/d
