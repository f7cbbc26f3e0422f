# expect 64: 0/13 OpenCL: any shape: refused: student.cl:\d+: sizeof \('a'\) may tell the compiler that runs it
# It has another size where it is read as CUDA: without tiles where it runs, with them where it is observed.
# file student.cl
/int sum = 0;/a\    if (sizeof('a') == sizeof(int)) {\
        for (int i = 0; row < m && column < n && i < p; i++)\
            sum += a[row * p + i] * b[i * n + column];\
        if (row < m && column < n)\
            c[row * n + column] = sum;\
        return;\
    }
