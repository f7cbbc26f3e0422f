# error early
# no_rest_of_b - the lower bound of |A| |B| lacks what y0 differs by from Y
/ - rest_x \* y.all -$/{
N
s/ -\n *x\[j\].all \* rest_y//
}
