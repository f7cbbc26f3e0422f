# expect 64: student.cl is empty, or was not handed in
# file student.cl
# full
d
