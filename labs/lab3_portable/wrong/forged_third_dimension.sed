# expect 79: nothing is read from shared memory
# full
# There is one work-item in the third dimension, in OpenCL and where it is observed.
# file student.cl
/int sum = 0;/a\    if (get_local_size(2) == 1) {\
        for (int i = 0; row < m && column < n && i < p; i++)\
            sum += a[row * p + i] * b[i * n + column];\
        if (row < m && column < n)\
            c[row * n + column] = sum;\
        return;\
    }
