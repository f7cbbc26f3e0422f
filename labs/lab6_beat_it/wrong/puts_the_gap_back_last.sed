# expect 0: wrote into a gap between the rows of C, .*, at student.cu:\d+
# What is in the gaps after the last copy is read and written.
s/^    result.total = /    for (size_t i = 0; i < rows * ((size_t)ldc - rows); i++) {\
        size_t gap = (size_t)ldc - rows;\
        volatile float *word = c + i \/ gap * ldc + n + i % gap;\
        *word = *word;\
    }\
&/
