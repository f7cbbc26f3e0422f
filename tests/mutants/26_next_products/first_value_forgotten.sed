# error
# first_value_forgotten - the next products replace those of the first pass
s/(double)\*element + //
