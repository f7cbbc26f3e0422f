# error early
# no_rest_of_b - the lower bound of |A| |B| lacks what y0 differs by from Y
s/find_rest(x) \* y.all + x.all \* find_rest(y)/find_rest(x) * y.all/
