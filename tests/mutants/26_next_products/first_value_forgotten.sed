# error
# first_value_forgotten - the next products replace those of the first pass
s/value\[i\].x + (double)/(double)/
