# expect 0: 8976 of 10000 elements are never written; the first: y\[1024\]
# full
# file task03_copy.cu
s/for (int i = thread; i < n; i += threads)/int i = thread;\n    if (i < n)/
