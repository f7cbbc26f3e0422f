# expect 34: the last, incomplete tile of k is left out
# gpu 34: right when 
# full
# The sum of both products ends at the height of A, which is its width in a square matrix.
s/k < a.width; k++/k < a.height; k++/
s/k \* BLOCK < a.width; k++/k * BLOCK < a.height; k++/
