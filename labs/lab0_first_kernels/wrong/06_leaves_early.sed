# expect 0: only in the last 72 elements.*divergent barrier: task06_barrier.cu:\d+
# file task06_barrier.cu
# full
s/^    \/\* TODO 6.*/&\n    if (column >= columns)\n        return;/
