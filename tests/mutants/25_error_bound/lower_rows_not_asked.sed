# error
# lower_rows_not_asked - the lower eight rows of a sub-tile are not held against the bound
s#            good &= #            good \&= i / 2 % 2 == 1 || #
