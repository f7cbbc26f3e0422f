# error early at n = 1025
# first_group_again - each group has the rows of the first
s/first + j % height/j % height/
