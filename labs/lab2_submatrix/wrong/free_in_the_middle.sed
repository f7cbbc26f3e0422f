# expect 89: wrong free: free was given a pointer into the middle of memory, at student.cu:\d+; malloc was called at
# gpu 89: invalid pointer
# full
s/^        free(memory);/        free(memory + 1);/
