# expect 0: not a number
# full
s/= sum\[i\]\[j\];$/= row == n \/ 2 \&\& column == n \/ 2 ? nanf("") : sum[i][j];/
