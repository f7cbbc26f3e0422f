# error
# half_of_the_rows - the largest element is looked for in the upper half of a block's rows
s/k < first + rows;/k < first + rows \/ 2;/
