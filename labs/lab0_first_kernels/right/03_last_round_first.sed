# expect 10: 6/6 task
# From the end: the round that not all threads have comes first.
# file task03_copy.cu
s/for (int i = thread; i < n; i += threads)/for (int i = (n - 1) \/ threads * threads + thread; i >= 0; i -= threads)\n        if (i < n)/
