# error
# swapped_fragment - exchanges two elements of A's fragment
s/e % 2 \* 8\]\[k + e \/ 2 \* 4\]/e \/ 2 * 8][k + e % 2 * 4]/
