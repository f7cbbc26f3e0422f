# wrong_leading_dimension - the copy of B uses lda: a planted fault. The suite must reject it.
s/(size_t)ldb \* sizeof(float)/(size_t)(ldb > 0 ? lda : ldb) * sizeof(float)/
