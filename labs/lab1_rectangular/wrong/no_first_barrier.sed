# expect 0: race
# gpu 0-75: shared race: student.cu
# full
/the tiles are complete/d
