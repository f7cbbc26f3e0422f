# error
# negative_not_set - nobody is told of negative elements
s/negative = true;//
