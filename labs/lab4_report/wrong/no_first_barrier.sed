# expect 61: shared race: student.cu
# full
/the tiles are complete/d
