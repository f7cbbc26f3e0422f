# expect 0: not a number
# full
s/make_float4(sum\[i\]\[j\],/make_float4(x + y + blockIdx.x + i + j == 0 ? nanf("") : sum[i][j],/
