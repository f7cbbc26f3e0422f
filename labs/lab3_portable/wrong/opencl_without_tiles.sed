# expect 79: nothing is read from shared memory
# file student.cl
/tile_/d
/barrier/d
s/int sum = 0;/int sum = 0; if (row < m \&\& column < n) for (int i = 0; i < p; i++) sum += a[row * p + i] * b[i * n + column];/
/for (int k = 0/,/^    }/d
