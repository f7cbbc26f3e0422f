# error
# wrong_rows - stores the sums in the rows of the other half
s/e \/ 2 \* 8;/(1 - e \/ 2) * 8;/
