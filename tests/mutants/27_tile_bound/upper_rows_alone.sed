# error
# upper_rows_alone - only the upper eight rows are held against the bound
/bool enough/,/return/s/j < 2/j < 1/
