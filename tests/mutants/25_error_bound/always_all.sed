# error
# always_all - all of C is computed in double as soon as anything is listed
s/4 \* (size_t)f.listed >= 3 \*/(size_t)f.listed * n >=/
