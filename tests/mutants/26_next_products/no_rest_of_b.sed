# error early
# no_rest_of_b - the lower bound of |A| |B| lacks what y0 differs by from Y
s/ - x.all \* rest_y//
