# half_of_the_rows - the largest element is looked for in the upper half of a block's rows: a planted fault. The suite must reject it.
s/k < first + rows;/k < first + rows \/ 2;/
