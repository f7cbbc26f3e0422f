# expect 64: student.cl: it has no kernel matmult
# file student.cl
s/void matmult(/void matmul(/
