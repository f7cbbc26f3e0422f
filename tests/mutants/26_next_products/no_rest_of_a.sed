# error
# no_rest_of_a - the lower bound of |A| |B| lacks what x0 differs by from X
s/find_rest(x) \* y.all + x.all/x.all/
