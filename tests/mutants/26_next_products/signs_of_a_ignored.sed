# error
# signs_of_a_ignored - where A has signs |x0| is x0
s/signs_a = o.signs_a\[row . TILE\]/signs_a = false/
