# expect 53: shared race: student.cu:72 and student.cu:76
# gpu 49-90: shared race: student.cu:72 and student.cu:76
# full
/__syncthreads(); \/\* nobody needs them/d
