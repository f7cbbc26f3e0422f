# expect 0: no race.*: shared race: .*; uninitialised read
# gpu 0-75: shared race: student.cu
# full
/the tiles are complete/d
