# error
# signs_of_b_ignored - where B has signs |y0| is y0
s/signs_b = o.signs_b\[column . TILE\]/signs_b = false/
