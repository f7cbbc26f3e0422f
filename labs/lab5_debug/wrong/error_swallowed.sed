# expect 0: x
# Product 5 asks for the error and tells nobody.
/==== 5:/,/==== 6:/ s/return cudaGetLastError();/cudaGetLastError();\n    return cudaSuccess;/
