# expect 0: \d+ sectors stored, 768 needed
# file task08_transpose.cu
s/if (y_row < columns && y_column < rows)/if (row < rows \&\& column < columns)/
s/y\[y_row.*/atomicExch(\&y[column * rows + row], tile[ty][tx]);/
