# expect 61: shared race: student.cu
/the tiles are complete/d
