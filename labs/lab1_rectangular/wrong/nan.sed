# expect 0: not a number
# full
# with TYPE=float
s/= sum;$/= row == m \/ 2 \&\& column == n \/ 2 ? nanf("") : sum;/
