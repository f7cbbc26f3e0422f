# expect 6: 0/4 task 10: stencil: n = \d+: .*never written
# full
# file task10_stencil.cu
s/if (i < n)/if (i < n \&\& n <= 1000)/
