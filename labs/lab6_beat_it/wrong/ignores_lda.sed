# expect 0: strides 37, 42, 35.*not a number
s/(size_t)lda \* sizeof(float)/row_bytes/
