# expect 53: shared race: student.cu:72 and student.cu:75
# gpu 49-90: shared race: student.cu:72 and student.cu:75
# full
/__syncthreads(); \/\* the tiles are complete/d
