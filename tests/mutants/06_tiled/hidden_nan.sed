# error
# hidden_nan - what is not finite becomes zero
s/c\[row \* ldc + column\] = sum;$/c[row * ldc + column] = isfinite(sum) ? sum : 0;/
