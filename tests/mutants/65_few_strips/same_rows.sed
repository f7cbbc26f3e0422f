# error
# same_rows - both halves of the threads have the upper rows
s/threadIdx.x \/ (TILE \/ TN) \* TM;/0;/
