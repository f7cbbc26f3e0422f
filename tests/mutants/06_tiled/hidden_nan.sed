# hidden_nan - what is not finite becomes zero: a planted fault. The suite must reject it.
s/c\[row \* ldc + column\] = sum;$/c[row * ldc + column] = isfinite(sum) ? sum : 0;/
