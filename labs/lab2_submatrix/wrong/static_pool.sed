# expect 89: took fewer bytes from malloc than its elements have
# full
s/memory = (ELEMENT \*)malloc(.*/{ static ELEMENT pool[1 << 20]; static size_t used; memory = pool + used; used += elements; }/
s/^        free(memory);/        (void)memory;/
