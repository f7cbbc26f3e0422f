# error
# spoiled_not_said - nobody says that all of C is to be computed
s/o.counts->spoiled = true/;/
