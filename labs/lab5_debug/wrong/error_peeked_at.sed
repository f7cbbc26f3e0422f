# expect 88: 0/7 product 5: .*product5 gives back an error: invalid configuration argument
# full
# Product 5 looks at the error and leaves it there for the next launch, too.
/==== 5:/,/==== 6:/ s/cudaGetLastError/cudaPeekAtLastError/
