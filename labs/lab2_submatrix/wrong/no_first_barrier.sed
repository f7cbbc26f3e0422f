# expect 37: shared race: student.cu:72 and student.cu:75
/__syncthreads(); \/\* the tiles are complete/d
