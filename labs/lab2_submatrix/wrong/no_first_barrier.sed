# expect 37: shared race: student.cu:69 and student.cu:72
/__syncthreads(); \/\* the tiles are complete/d
