# expect 88: 0/7 product 5: .*every element is never written
# Product 5 asks for the error and tells nobody.
/==== 5:/,/==== 6:/ s/return cudaGetLastError();/cudaGetLastError();\n    return cudaSuccess;/
