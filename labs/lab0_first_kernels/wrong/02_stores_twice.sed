# expect 0: 2000 words stored, 1000 needed \(threads beyond n touch nothing; each element once
# full
# file task02_guard.cu
s/y\[i\] = 2 \* x\[i\];/y[i] = x[i], y[i] = 2 * x[i];/
