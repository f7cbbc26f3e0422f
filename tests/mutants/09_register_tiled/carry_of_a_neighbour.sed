# error
# carry_of_a_neighbour - an element takes the carry of the one beside it
s/partial\[i\]\[j\] -= next - sum\[i\]\[j\];/partial[i][j] = 0; partial[i][(j + 1) % TN] -= next - sum[i][j];/
