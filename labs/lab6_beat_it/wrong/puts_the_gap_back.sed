# expect 0: what was there before
# What is in the gaps is kept, and put back at the end.
s/^    double start = wall_seconds();/&\
    size_t gap = (size_t)(ldc - n);\
    float *kept = (float *)malloc((rows * gap + 1) * sizeof(float));\
    for (size_t i = 0; i < rows * gap; i++)\
        kept[i] = c[i \/ gap * ldc + n + i % gap];/
s/^    result.total = /    for (size_t i = 0; i < rows * gap; i++)\
        c[i \/ gap * ldc + n + i % gap] = kept[i];\
    free(kept);\
&/
