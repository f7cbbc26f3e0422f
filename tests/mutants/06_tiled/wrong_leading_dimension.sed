# error early
# wrong_leading_dimension - the copy of B uses lda
s/(size_t)ldb \* sizeof(float)/(size_t)(ldb > 0 ? lda : ldb) * sizeof(float)/
