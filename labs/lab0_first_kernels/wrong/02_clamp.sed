# expect 0: 1024 words stored, 1000 needed \(threads beyond n touch nothing
# file task02_guard.cu
# full
s/^    if (i < n)/    i = min(i, n - 1);/
