# error
# negative_not_returned - nobody is told of negative elements
s/return negative;/return false;/
