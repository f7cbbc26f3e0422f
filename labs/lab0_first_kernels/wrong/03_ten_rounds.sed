# expect 6: 0/4 .*never written
# file task03_copy.cu
# full
s/for (int i = thread; i < n; i += threads)/for (int i = thread; i < n \&\& i < thread + 10 * threads; i += threads)/
