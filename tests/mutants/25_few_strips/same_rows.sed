# same_rows - both halves of the threads have the upper rows: a planted fault. The suite must reject it.
s/threadIdx.x \/ (TILE \/ TN) \* TM;/0;/
