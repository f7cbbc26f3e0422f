# expect 37: shared race: student.cu:72 and student.cu:69
/__syncthreads(); \/\* the tiles are complete/d
